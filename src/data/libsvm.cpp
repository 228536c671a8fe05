#include "data/libsvm.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <utility>

#include "data/reserve_ahead.hpp"
#include "util/number.hpp"
#include "util/plain_number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// From this share of stored values on, dense rows need hardly more memory (8 bytes a value against
// 12) and are much faster.
constexpr double dense_share = 0.3;

struct Feature {
  std::int64_t index;
  double value;
};

std::int64_t parse_index(std::string_view text, const Place& place, std::string_view feature) {
  constexpr auto any = std::numeric_limits<std::int64_t>::max();
  const auto index = parse_integer(text, -any, any);
  if (index && *index >= 0 && *index <= largest_index) return *index;
  if (index && *index < 0) {
    refuse_row(place, fmt::format("feature {}: indices start at 1", printable(text)));
  }
  const bool digits = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (digits) {
    refuse_row(place,
               fmt::format("feature {}: indices go up to {}", printable(text), largest_index));
  }
  refuse_row(place, fmt::format("{}: the index is not a whole number", quoted(feature)));
}

double parse_value(std::string_view text, const Place& place, std::int64_t index) {
  const ParsedNumber number = parse_number(text);
  if (number.is_finite()) return number.value;
  if (text.empty()) refuse_row(place, fmt::format("feature {} has no value", index));
  refuse_row(place, fmt::format("feature {}: {} is not a {}number", index, quoted(text),
                                number.status == NumberStatus::not_finite ? "finite " : ""));
}

// Any feature; throws if it is malformed. Nothing for an empty word.
std::optional<Feature> parse_feature(std::string_view feature, const Place& place) {
  if (feature.empty()) return std::nullopt;
  const std::size_t colon = feature.find(':');
  if (colon == feature.npos) {
    refuse_row(place, fmt::format("{} is not of the form index:value", quoted(feature)));
  }
  const std::string_view index_text = feature.substr(0, colon);
  if (index_text == "qid") {
    refuse_row(place, fmt::format("{}: ranking data (qid) are not supported", quoted(feature)));
  }
  const std::int64_t index = parse_index(index_text, place, feature);
  return Feature{index, parse_value(feature.substr(colon + 1), place, index)};
}

// Takes the next feature off the line; nothing at the end. Features that look like "12:-0.5" are
// read in one pass over their characters, others word by word.
inline std::optional<Feature> take_feature(std::string_view& line, const Place& place) {
  const char* const end = line.data() + line.size();
  const char* at = line.data();
  while (at != end && is_space(*at)) ++at;
  const char* const first = at;
  std::uint64_t index = 0;
  at = take_digits(at, end, index);
  const bool plain_index = at - first > 0 && at - first < 9 && index <= largest_index;
  if (plain_index && at != end && *at == ':') {
    double value = 0;
    at = take_plain_number(at + 1, end, value);
    if (at != nullptr && (at == end || is_space(*at))) {
      line = {at, end};
      return Feature{static_cast<std::int64_t>(index), value};
    }
  }
  return parse_feature(take_word(line), place);
}

}  // namespace

void SparseRows::reserve_ahead(std::size_t more, std::optional<double> share) {
  rampart::reserve_ahead(values, more, share);
  indices.reserve(values.capacity());
}

void SparseRows::clear_last_row() {
  indices.resize(starts.back());
  values.resize(starts.back());
  starts.push_back(starts.back());
}

Rows SparseRows::take(std::size_t columns) {
  const std::size_t count = starts.size() - 1;
  const double all = static_cast<double>(count) * static_cast<double>(columns);
  const bool dense = static_cast<double>(values.size()) >= dense_share * all;
  Rows rows = Rows::sparse(columns, std::exchange(starts, {0}), std::exchange(indices, {}),
                           std::exchange(values, {}));
  values.reserve(rows.stored_values());  // the next batch will be about as large
  if (dense) return std::move(rows).to_dense();
  return rows;
}

std::optional<std::string_view> parse_libsvm_line(std::string_view line, const Place& place,
                                                  const LibsvmRules& rules, SparseRows& rows) {
  line = line.substr(0, line.find('#'));
  std::string_view rest = line;
  std::string_view label = take_word(rest);
  if (label.empty()) return std::nullopt;
  if (label.find(':') == label.npos) {
    line = rest;
  } else if (rules.labelled) {
    refuse_row(place, fmt::format("no label before {}", quoted(label)));
  } else {
    label = {};
  }

  std::int64_t last = 0;
  while (const auto feature = take_feature(line, place)) {
    const auto [index, value] = *feature;
    if (index == 0 && rules.serial_numbers && last == 0) continue;
    if (index == 0) refuse_row(place, "feature 0: indices start at 1");
    if (index <= last) refuse_row(place, fmt::format("feature {} after feature {}", index, last));
    if (rules.expected && static_cast<std::size_t>(index) > *rules.expected) {
      refuse_row(place,
                 fmt::format("feature {}, but the model has {} features", index, *rules.expected));
    }
    last = index;
    if (value == 0) continue;
    rows.indices.push_back(static_cast<std::uint32_t>(index - 1));
    rows.values.push_back(value);
  }
  rows.width = std::max(rows.width, static_cast<std::size_t>(last));
  rows.starts.push_back(rows.values.size());
  return label;
}

}  // namespace rampart
