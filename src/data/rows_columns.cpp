#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "data/classes.hpp"
#include "data/limits.hpp"
#include "data/place.hpp"
#include "data/rows_format.hpp"

namespace rampart {
namespace {

using Json = nlohmann::json;

// Nothing here is nested more deeply; a parser that follows any depth would run out of stack.
constexpr int deepest = 4;

Json parse(std::string_view text, const Place& file) {
  const auto shallow = [](int depth, Json::parse_event_t, const Json&) {
    if (depth > deepest) throw std::length_error("nested too deeply");
    return true;
  };
  try {
    return Json::parse(text, shallow);
  } catch (const std::exception&) {
    refuse(file, "is damaged: its columns cannot be read; convert it again");
  }
}

}  // namespace

std::string encode(const RowsColumns& columns) {
  const FeatureLayout& layout = columns.layout;
  Json json{{"classes", {columns.classes.negative, columns.classes.positive}}};
  if (!layout.names.empty()) json["names"] = layout.names;
  if (!layout.label.empty()) json["label"] = layout.label;
  if (!layout.id.empty()) json["id"] = layout.id;
  if (!layout.fields.empty()) json["fields"] = layout.fields;
  if (layout.file_columns > 0) json["file_columns"] = layout.file_columns;
  if (!layout.missing_values.empty()) json["missing_values"] = layout.missing_values;
  if (!layout.categories.empty()) {
    // By column: a table may have millions of numeric ones.
    Json& categories = json["categories"] = Json::array();
    for (std::size_t j = 0; j < layout.categories.size(); ++j) {
      if (layout.categories[j].empty()) continue;
      categories.push_back({{"column", j + 1}, {"names", layout.categories[j]}});
    }
  }
  try {
    return json.dump();
  } catch (const Json::exception&) {
    throw InputError("a name of a class or column is not UTF-8; convert the file (iconv)");
  }
}

RowsColumns decode_rows_columns(std::string_view text, const RowsHeader& header,
                                std::string_view file) {
  const std::size_t count = header.columns;
  const Place place{.file = file};
  const auto require = [&](bool holds) {
    if (!holds) refuse(place, "is damaged: its columns are not as they must be; convert it again");
  };
  const Json json = parse(text, place);
  RowsColumns columns;
  FeatureLayout& layout = columns.layout;
  layout.count = count;
  try {
    const auto classes = json.at("classes").get<std::vector<std::string>>();
    require(classes.size() == 2);
    columns.classes = {classes[0], classes[1]};
    layout.names = json.value("names", layout.names);
    layout.label = json.value("label", "");
    layout.id = json.value("id", "");
    if (json.contains("fields")) {
      for (const Json& field : json["fields"]) {
        const auto number = field.get<std::uint64_t>();
        require(number > 0 && number <= most_columns + std::uint64_t{4});
        layout.fields.push_back(static_cast<std::uint32_t>(number));
      }
    }
    layout.file_columns = json.value("file_columns", std::size_t{0});
    layout.missing_values = json.value("missing_values", layout.missing_values);
    if (json.contains("categories")) {
      require(header.dense);  // which also bounds the number of columns by the size of the file
      layout.categories.resize(count);
      for (const Json& column : json["categories"]) {
        const auto number = column.at("column").get<std::uint64_t>();
        require(number > 0 && number <= count && layout.categories[number - 1].empty());
        layout.categories[number - 1] = column.at("names").get<std::vector<std::string>>();
        require(!layout.categories[number - 1].empty());
      }
    }
  } catch (const Json::exception&) {
    require(false);
  }
  require(!fault_of(columns.classes).has_value());
  require(layout.names.empty() || layout.names.size() == count);
  require(layout.fields.empty() || layout.fields.size() == count);
  return columns;
}

}  // namespace rampart
