#include "render/columns_in_words.hpp"

#include <fmt/format.h>

#include <functional>

#include "evaluate/original_columns.hpp"
#include "util/text.hpp"

namespace rampart::tool {
namespace {

constexpr std::size_t most_listed = 8;

/// "age, sex, … (12 in all)": the columns that `belongs` picks, each as `describe` has it.
struct List {
  std::string text;
  std::size_t count = 0;
};

List list_of(std::size_t columns, const std::function<bool(std::size_t)>& belongs,
             const std::function<std::string(std::size_t)>& describe) {
  List list;
  for (std::size_t j = 0; j < columns; ++j) {
    if (!belongs(j) || ++list.count > most_listed) continue;
    list.text += fmt::format("{}{}", list.text.empty() ? "" : ", ", describe(j));
  }
  if (list.count > most_listed) list.text += fmt::format(", … ({} in all)", list.count);
  return list;
}

}  // namespace

std::vector<std::string> columns_in_words(const Model& model) {
  const FeatureLayout& layout = model.features;
  const std::vector<Encoding::Column>& encoded = model.encoding.columns;
  if (layout.file_columns == 0) return {};
  const auto name = [&](std::size_t j) { return printable(name_of_column(layout, j)); };
  const auto categories = [&](std::size_t j) {
    return j < layout.categories.size() ? layout.categories[j].size() : 0;
  };
  const List categorical = list_of(
      layout.count, [&](std::size_t j) { return categories(j) > 0; },
      [&](std::size_t j) {
        const std::size_t count = categories(j);
        return fmt::format("{} ({} {})", name(j), count, count == 1 ? "category" : "categories");
      });
  std::vector<std::string> lines;
  lines.push_back(fmt::format("{} numeric", layout.count - categorical.count));
  if (categorical.count > 0) {
    lines.back() += fmt::format(", {} categorical: {}", categorical.count, categorical.text);
  }
  const auto is_number = layout.names.empty();
  if (!layout.label.empty()) {
    lines.back() +=
        fmt::format("; label {}{}", is_number ? "column " : "", printable(layout.label));
  }
  if (!layout.id.empty()) {
    lines.back() += fmt::format("; id {}{}", is_number ? "column " : "", printable(layout.id));
  }
  const auto misses = [&](std::size_t j) { return j < encoded.size() && encoded[j].misses; };
  const List marked = list_of(
      layout.count, [&](std::size_t j) { return misses(j) && encoded[j].indicator; }, name);
  const List filled = list_of(
      layout.count, [&](std::size_t j) { return misses(j) && !encoded[j].indicator; }, name);
  const auto say = [&](const List& list, const char* what) {
    if (list.count > 0) lines.push_back(fmt::format("missing in {}: {}", list.text, what));
  };
  say(marked, "filled with the usual value of training, and marked by a 0/1 feature");
  say(filled, "filled with the usual value of training");
  return lines;
}

}  // namespace rampart::tool
