#include "data/arff.hpp"

#include <fmt/format.h>
#include <algorithm>

#include "data/category_table.hpp"
#include "data/limits.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// Whether the text starts with this word, in any case; it loses the word if so.
bool take_keyword(std::string_view& text, std::string_view word) {
  if (!equal_ignoring_case(text.substr(0, word.size()), word)) return false;
  const std::string_view rest = text.substr(word.size());
  if (!rest.empty() && !is_space(rest.front())) return false;
  text = rest;
  return true;
}

void skip_spaces(std::string_view& text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
}

char unescaped(char c) { return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c; }

// Takes a word off the text, quoted or up to one of `ends`. False if its quote is never closed.
bool take_value(std::string_view& text, std::string_view ends, std::string& value) {
  value.clear();
  skip_spaces(text);
  if (!text.starts_with('\'') && !text.starts_with('"')) {
    const std::string_view word = text.substr(0, text.find_first_of(ends));
    text.remove_prefix(word.size());
    value = trimmed(word);
    return true;
  }
  const char quote = text.front();
  std::size_t at = 1;
  for (; at < text.size() && text[at] != quote; ++at) {
    const bool escape = text[at] == '\\' && at + 1 < text.size();
    if (escape) ++at;
    value += escape ? unescaped(text[at]) : text[at];
  }
  if (at >= text.size()) return false;
  text.remove_prefix(at + 1);
  return true;
}

[[noreturn]] void refuse_open_quote(const Place& place) {
  refuse_row(place, "a quoted value is never closed");
}

}  // namespace

bool starts_arff(std::string_view line) noexcept {
  line = trimmed(line);
  return take_keyword(line, "@relation") || take_keyword(line, "@attribute");
}

ArffRows::ArffRows(LineReader lines) : lines_(std::move(lines)) { read_head(); }

void ArffRows::read_head() {
  while (const auto whole = lines_.next()) {
    head_ += *whole;
    std::string_view line = trimmed(*whole);
    if (line.empty() || line.starts_with('%') || take_keyword(line, "@relation")) continue;
    if (take_keyword(line, "@attribute")) {
      read_attribute(line);
    } else if (take_keyword(line, "@data")) {
      if (names_.empty()) refuse(place(), "@data before any @attribute");
      return;
    } else {
      refuse(place(), fmt::format("{} in the head of an ARFF file, where @attribute or @data is "
                                  "expected",
                                  quoted(line)));
    }
  }
  refuse(whole_file(), "an ARFF file without @data");
}

void ArffRows::read_attribute(std::string_view line) {
  if (names_.size() == most_columns) {
    refuse(place(), fmt::format("more than {} columns", most_columns));
  }
  const auto field = static_cast<std::uint32_t>(names_.size());
  std::string name;
  if (!take_value(line, " \t\r\n{", name)) refuse_open_quote(place());
  names_.add(name);
  declared_.emplace_back();
  numeric_.push_back(false);
  left_out_.emplace_back("0");
  skip_spaces(line);
  if (line.starts_with('{')) {
    std::vector<std::string>& values = declared_.back();
    CategoryTable known;  // "1" and "1.0" are one category
    std::string value;
    do {
      line.remove_prefix(1);
      if (!take_value(line, ",}", value)) refuse_open_quote(place());
      if (known.size() == 0) left_out_.back() = value;
      known.add(category_of_cell(value));
      skip_spaces(line);
    } while (line.starts_with(','));
    if (!line.starts_with('}')) {
      refuse(place(), fmt::format("attribute {}: its list of values has no end", quoted(name)));
    }
    values = known.names();
    for (const std::string& category : values) {
      if (is_utf8(category)) continue;
      refuse(place(), fmt::format("attribute {}: {} is not UTF-8; convert the file (iconv)",
                                  quoted(name), quoted(category)));
    }
    return;
  }
  const std::string_view type = take_word(line);
  const auto is = [&](std::string_view word) { return equal_ignoring_case(type, word); };
  if (is("numeric") || is("real") || is("integer")) {
    numeric_.back() = true;
  } else if (is("string")) {
    left_out_.back() = "?";
  } else if (is("date")) {
    dates_.push_back(field);
  } else {
    refuse(place(), fmt::format("attribute {}: the type {} is none of numeric, real, integer, "
                                "string, date and {{values}}",
                                quoted(name), quoted(type)));
  }
}

bool ArffRows::next() {
  fields_.clear();
  while (const auto whole = lines_.next()) {
    const std::string_view line = trimmed(*whole);
    if (line.empty() || line.starts_with('%')) continue;
    text_ = *whole;
    if (line.starts_with('{')) {
      read_sparse(line);
    } else {
      read_values(line);
    }
    return true;
  }
  return false;
}

void ArffRows::read_values(std::string_view line) {
  for (;;) {
    if (!take_value(line, ",\t", cell_)) refuse_open_quote(place());
    fields_.add(cell_);
    const bool tab = line.starts_with('\t');
    skip_spaces(line);
    if (line.starts_with(',')) {
      line.remove_prefix(1);
    } else if (line.empty()) {
      return;
    } else if (!tab) {
      refuse_row(place(),
                 fmt::format("{} after a quoted value, where a comma is expected", quoted(line)));
    }
  }
}

void ArffRows::read_sparse(std::string_view line) {
  line.remove_prefix(1);
  std::size_t next_field = 0;  // up to here the fields are there
  const auto leave_out_to = [&](std::size_t field) {
    for (; next_field < field; ++next_field) fields_.add(left_out_[next_field]);
  };
  skip_spaces(line);
  while (!line.empty() && !line.starts_with('}')) {
    const std::string_view index = take_word(line);
    const auto field = parse_integer(index, 0, static_cast<std::int64_t>(names_.size()) - 1);
    if (!field) {
      refuse_row(place(), fmt::format("{} is not the number of an attribute, from 0 to {}",
                                      quoted(index), names_.size() - 1));
    }
    if (static_cast<std::size_t>(*field) < next_field) {
      refuse_row(place(), fmt::format("attribute {} after attribute {}", *field, next_field - 1));
    }
    leave_out_to(static_cast<std::size_t>(*field));
    if (!take_value(line, ",}", cell_)) refuse_open_quote(place());
    fields_.add(cell_);
    ++next_field;
    skip_spaces(line);
    if (line.starts_with(',')) line.remove_prefix(1);
    skip_spaces(line);
  }
  if (line != "}") refuse_row(place(), "a sparse row must end with }");
  leave_out_to(names_.size());
}

}  // namespace rampart
