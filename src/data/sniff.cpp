#include "data/sniff.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "data/arff.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr std::string_view delimiters = "\t;|,";
constexpr std::string_view delimiters_inside_words = ";|,";  // a tab would have ended the word

enum class Evidence { none, libsvm, csv };

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A feature of a LIBSVM line, right or wrong: "3:0.5", "-3:", "3:abc", "qid:1".
bool looks_like_feature(std::string_view word) {
  const std::size_t colon = word.find(':');
  if (colon == std::string_view::npos) return false;
  if (word.find_first_of(delimiters_inside_words) != std::string_view::npos) return false;
  std::string_view index = word.substr(0, colon);
  if (index == "qid") return true;
  if (index.starts_with('-') || index.starts_with('+')) index.remove_prefix(1);
  return !index.empty() && std::ranges::all_of(index, is_digit);
}

Evidence evidence(std::string_view line) {
  line = line.substr(0, line.find('#'));
  const std::string_view first = take_word(line);
  const std::string_view second = take_word(line);
  // A line without a label, as a file to predict may have.
  if (looks_like_feature(second) || looks_like_feature(first)) return Evidence::libsvm;
  if (!second.empty()) return Evidence::csv;
  return first.find_first_of(delimiters_inside_words) == std::string_view::npos ? Evidence::none
                                                                                : Evidence::csv;
}

bool extension_is_libsvm(std::string_view name) {
  for (const std::string_view packed : {".gz", ".xz"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return std::ranges::any_of(std::array<std::string_view, 4>{".libsvm", ".svm", ".svmlight", ".t"},
                             [&](std::string_view extension) { return name.ends_with(extension); });
}

// How often each delimiter occurs outside quotes.
using Counts = std::array<std::size_t, delimiters.size()>;

// The counts of every row that is complete. A row whose quoted field holds line ends is one row.
std::vector<Counts> count_delimiters(std::span<const std::string_view> lines) {
  std::vector<Counts> rows;
  Counts counts{};
  bool in_quotes = false;
  for (const std::string_view line : lines) {
    if (!in_quotes && line.starts_with('#')) continue;
    bool field_starts = !in_quotes;  // only there does a quote open a quoted field
    for (const char c : line) {
      const std::size_t which = delimiters.find(c);
      if (c == '"' && (in_quotes || field_starts)) {
        // A doubled quote closes and opens again, which comes to the same.
        in_quotes = !in_quotes;
        field_starts = !in_quotes;
      } else if (!in_quotes && which != std::string_view::npos) {
        ++counts[which];
        field_starts = true;
      } else if (!is_space(c)) {
        field_starts = false;
      }
    }
    if (in_quotes) continue;
    rows.push_back(counts);
    counts = {};
  }
  return rows;
}

bool is_arff(std::span<const std::string_view> lines) {
  const auto is_comment = [](std::string_view line) { return line.starts_with('%'); };
  const auto first = std::ranges::find_if_not(lines, is_comment);
  // Many ARFF files open with pages of comments.
  return first == lines.end() ? lines.size() == sniffed_lines : starts_arff(*first);
}

bool is_table_of_words(std::span<const std::string_view> lines) {
  const auto words = [](std::string_view line) {
    std::size_t count = 0;
    while (!take_word(line).empty()) ++count;
    return count;
  };
  const std::size_t first = words(lines.front());
  return first > 1 && std::ranges::all_of(lines, [&](std::string_view line) {
           return line.starts_with('#') || words(line) == first;
         });
}

}  // namespace

Format sniff_format(std::span<const std::string_view> lines, std::string_view name) {
  if (is_arff(lines)) return Format::arff;
  Evidence first = Evidence::none;
  bool any_libsvm = false;
  for (const std::string_view line : lines) {
    const Evidence found = evidence(line);
    if (first == Evidence::none) first = found;
    any_libsvm = any_libsvm || found == Evidence::libsvm;
  }
  if (first == Evidence::libsvm) return Format::libsvm;
  const bool open = first == Evidence::none || any_libsvm;
  return open && extension_is_libsvm(name) ? Format::libsvm : Format::csv;
}

std::optional<char> named_delimiter(std::string_view start) {
  constexpr std::string_view key = "sep=";
  const std::string_view line = start.substr(0, start.find('\n'));
  const std::string_view named = line.substr(0, line.find('\r'));
  if (named.size() != key.size() + 1 || !equal_ignoring_case(named.substr(0, key.size()), key)) {
    return std::nullopt;
  }
  const char delimiter = named.back();
  return delimiter == '"' || delimiter == '#' ? std::nullopt : std::optional(delimiter);
}

char sniff_delimiter(std::span<const std::string_view> lines) {
  const std::vector<Counts> rows = count_delimiters(lines);
  if (rows.empty()) return ',';
  const Counts& first = rows.front();
  for (std::size_t d = 0; d < delimiters.size(); ++d) {
    const auto same = [&](const Counts& counts) { return counts[d] == first[d]; };
    if (first[d] > 0 && std::ranges::all_of(rows, same)) return delimiters[d];
  }
  const auto most = std::ranges::max_element(first);
  if (*most == 0 || is_table_of_words(lines)) return ' ';
  return delimiters[static_cast<std::size_t>(most - first.begin())];
}

}  // namespace rampart
