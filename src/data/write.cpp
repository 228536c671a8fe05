#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>

#include "data/category_table.hpp"
#include "data/missing.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

std::string_view label_of(const Dataset& data, std::size_t n) {
  return data.y[n] > 0 ? data.classes.positive : data.classes.negative;
}

bool is_control(char c) { return c >= 0 && c < ' '; }

// What a reader could take for packed data, a byte order mark, ARFF or JSON at the start of a file.
bool starts_like_another_file(std::string_view text) {
  return !text.empty() &&
         (is_control(text.front()) || std::string_view("\xef@%{[").find(text.front()) != text.npos);
}

void check_class_names(const Dataset& data, bool words, std::string_view format) {
  for (const std::string_view name :
       {std::string_view(data.classes.negative), std::string_view(data.classes.positive)}) {
    const bool bad_word = starts_like_another_file(name) || std::ranges::any_of(name, is_space) ||
                          name.find_first_of(":#") != std::string_view::npos;
    if (name.empty() || trimmed(name) != name || name.find('\0') != std::string_view::npos ||
        (words && bad_word)) {
      throw InputError(fmt::format("the class {} cannot be written as {}", quoted(name), format));
    }
  }
}

// A field as it is, or quoted where a reader would take it for something else. The other
// delimiters are quoted too, so that none of them can pass for the one of this file.
void append_field(std::string& text, std::string_view field) {
  const bool plain = !field.empty() && trimmed(field) == field && !field.starts_with('#') &&
                     !starts_like_another_file(field) && std::ranges::none_of(field, is_control) &&
                     field.find_first_of("\t;|,\"\r\n") == std::string_view::npos;
  if (plain) {
    text += field;
    return;
  }
  text += '"';
  for (const char c : field) {
    if (c == '"') text += '"';
    text += c;
  }
  text += '"';
}

// A category that a reader would take for something else cannot be written.
void check_categories(const Dataset& data) {
  for (const auto& names : data.categories) {
    for (const std::string& name : names) {
      if (!is_missing_spelling(name) && trimmed(name) == name && category_of_cell(name) == name &&
          name.find('\0') == name.npos) {
        continue;
      }
      throw InputError(fmt::format("the category {} cannot be written as CSV", quoted(name)));
    }
  }
}

// A cell of column j: nothing for a missing value.
void append_cell(std::string& text, const Dataset& data, std::size_t j, double value) {
  if (std::isnan(value)) return;
  if (data.categories.empty() || data.categories[j].empty()) {
    append_number(text, value);
  } else if (value < 0) {
    throw InputError(fmt::format("column {}: a category that was never met has no name", j + 1));
  } else {
    append_field(text, data.categories[j].at(static_cast<std::size_t>(value)));
  }
}

// `wanted`, or with a number behind it if that name is taken.
std::string free_name(std::string wanted, const std::vector<std::string>& taken) {
  std::string name = wanted;
  for (int k = 2; std::ranges::find(taken, name) != taken.end(); ++k) {
    name = fmt::format("{}_{}", wanted, k);
  }
  return name;
}

void append_header(std::string& text, const Dataset& data) {
  std::vector<std::string> names = data.features;
  const auto is_name = [](const std::string& name) {
    return !name.empty() && parse_number(name).status == NumberStatus::not_a_number;
  };
  for (std::size_t j = names.size(); j < data.x.columns(); ++j) {
    names.push_back(fmt::format("x{}", j + 1));
  }
  if (!data.weights.empty()) names.push_back(free_name("weight", names));
  names.push_back(free_name(is_name(data.label) ? data.label : "label", names));
  if (!data.ids.empty()) {
    names.insert(names.begin(), free_name(is_name(data.id) ? data.id : "id", names));
  }
  for (const std::string& name : names) {
    if (name.find('\0') != std::string::npos) {
      throw InputError(fmt::format("the name {} cannot be written as CSV", quoted(name)));
    }
    if (&name != &names.front()) text += ',';
    append_field(text, name);
  }
  text += '\n';
}

}  // namespace

std::string to_libsvm(const Dataset& data) {
  if (std::ranges::any_of(data.categories, [](const auto& names) { return !names.empty(); })) {
    throw InputError("categories cannot be written as LIBSVM; write CSV");
  }
  check_class_names(data, true, "LIBSVM");
  if (std::ranges::any_of(data.weights, [](double weight) { return weight != 1; })) {
    throw InputError("weights cannot be written as LIBSVM; write CSV");
  }
  // A last column of zeros would be lost, so its first zero is written.
  bool width_known = data.x.columns() == 0;
  for (std::size_t n = 0; n < data.size() && !width_known; ++n) {
    data.x.for_each(n, [&](std::size_t j, double value) {
      width_known = width_known || (j + 1 == data.x.columns() && value != 0);
    });
  }
  std::string text;
  for (std::size_t n = 0; n < data.size(); ++n) {
    text += label_of(data, n);
    const auto append = [&](std::size_t index, double value) {
      fmt::format_to(std::back_inserter(text), " {}:", index);
      append_number(text, value);
    };
    data.x.for_each(n, [&](std::size_t j, double value) {
      if (std::isnan(value)) {
        throw InputError(
            fmt::format("row {}: a missing value cannot be written as LIBSVM; write CSV", n + 1));
      }
      if (value != 0) append(j + 1, value);
    });
    if (n == 0 && !width_known) append(data.x.columns(), 0);
    text += '\n';
  }
  return text;
}

std::string to_csv(const Dataset& data) {
  check_class_names(data, false, "CSV");
  check_categories(data);
  std::string text;
  append_header(text, data);
  std::vector<double> row(data.x.columns());
  for (std::size_t n = 0; n < data.size(); ++n) {
    std::ranges::fill(row, 0.0);
    data.x.for_each(n, [&](std::size_t j, double value) { row[j] = value; });
    if (!data.ids.empty()) {
      append_field(text, data.ids[n]);
      text += ',';
    }
    for (std::size_t j = 0; j < row.size(); ++j) {
      append_cell(text, data, j, row[j]);
      text += ',';
    }
    if (!data.weights.empty()) {
      append_number(text, data.weights[n]);
      text += ',';
    }
    append_field(text, label_of(data, n));
    text += '\n';
  }
  return text;
}

}  // namespace rampart
