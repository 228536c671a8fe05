#include "data/libsvm.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <limits>
#include <utility>

#include "data/reserve_ahead.hpp"
#include "util/assert.hpp"
#include "util/number.hpp"
#include "util/plain_number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

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
  at = take_many_digits(at, end, index);
  const bool plain_index = at - first > 0 && at - first < 9 && index <= largest_index;
  if (plain_index && at != end && *at == ':') {
    double value = 0;
    at = take_number(at + 1, end, value);
    if (at != nullptr && (at == end || is_space(*at))) {
      line = {at, end};
      return Feature{static_cast<std::int64_t>(index), value};
    }
  }
  return parse_feature(take_word(line), place);
}

}  // namespace

void SparseRows::open_slots(std::size_t values, std::optional<double> share) {
  close_slots();
  first_slot_ = starts_.back();
  open_ = true;
  if (first_slot_ + values <= values_.size()) return;  // room that has been written before
  cut_off();
  reserve_ahead(values_, values, share);
  indices_.reserve(values_.capacity());
  values_.resize(first_slot_ + values);
  indices_.resize(first_slot_ + values);
}

void SparseRows::keep(std::size_t slot, const SparseRow& row) {
  const std::size_t from = first_slot_ + slot;
  const std::size_t to = starts_.back();
  if (from != to) {
    std::copy_n(indices_.data() + from, row.count, indices_.data() + to);
    std::copy_n(values_.data() + from, row.count, values_.data() + to);
  }
  starts_.push_back(to + row.count);
  width_ = std::max(width_, row.width);
}

void SparseRows::add(std::span<const std::uint32_t> indices, std::span<const double> values,
                     std::size_t width) {
  RAMPART_ASSERT(!open_, "slots would lie between the rows");
  cut_off();
  indices_.insert(indices_.end(), indices.begin(), indices.end());
  values_.insert(values_.end(), values.begin(), values.end());
  starts_.push_back(values_.size());
  width_ = std::max(width_, width);
}

void SparseRows::close_slots() {
  open_ = false;
  if (taken_ == 0) return;
  const std::size_t given = starts_[taken_];
  const std::size_t left = starts_.back() - given;
  std::copy_n(indices_.data() + given, left, indices_.data());
  std::copy_n(values_.data() + given, left, values_.data());
  starts_.erase(starts_.begin(), starts_.begin() + static_cast<std::ptrdiff_t>(taken_));
  for (std::size_t& start : starts_) start -= given;
  taken_ = 0;
}

// What is behind the rows is no longer needed.
void SparseRows::cut_off() {
  indices_.resize(starts_.back());
  values_.resize(starts_.back());
}

namespace {

bool better_dense(std::size_t stored, std::size_t rows, std::size_t columns) {
  return static_cast<double>(stored) >=
         dense_share * static_cast<double>(rows) * static_cast<double>(columns);
}

}  // namespace

Rows SparseRows::take(std::size_t columns) {
  if (taken_ > 0 || open_) return take_copy(columns);
  cut_off();
  const bool dense = better_dense(values_.size(), starts_.size() - 1, columns);
  Rows rows = Rows::sparse(columns, std::exchange(starts_, {0}), std::exchange(indices_, {}),
                           std::exchange(values_, {}));
  if (dense) return std::move(rows).to_dense();
  return rows;
}

// Leaves the rows, and slots behind them that are still to be kept, where they are.
Rows SparseRows::take_copy(std::size_t columns) {
  const std::size_t count = stored();
  const std::span<const std::size_t> starts = std::span(starts_).subspan(taken_);
  const std::size_t rows = starts.size() - 1;
  const std::span values = std::span(values_).subspan(starts.front(), count);
  const std::span indices = std::span(indices_).subspan(starts.front(), count);
  taken_ = starts_.size() - 1;
  if (better_dense(count, rows, columns)) return dense_copy(columns, starts);
  std::vector<std::size_t> own_starts(starts.begin(), starts.end());
  for (std::size_t& start : own_starts) start -= starts.front();
  return Rows::sparse(columns, std::move(own_starts), {indices.begin(), indices.end()},
                      {values.begin(), values.end()});
}

Rows SparseRows::dense_copy(std::size_t columns, std::span<const std::size_t> starts) const {
  std::vector<double> values;
  values.reserve((starts.size() - 1) * columns);
  for (std::size_t n = 0; n + 1 < starts.size(); ++n) {
    const double* const stored = values_.data() + starts[n];
    const std::size_t count = starts[n + 1] - starts[n];
    if (count == columns) {  // all of them, in their order
      values.insert(values.end(), stored, stored + count);
      continue;
    }
    values.resize((n + 1) * columns);
    double* const row = values.data() + n * columns;
    for (std::size_t k = 0; k < count; ++k) row[indices_[starts[n] + k]] = stored[k];
  }
  return Rows::dense(columns, std::move(values), starts.size() - 1);
}

std::optional<LibsvmLine> parse_libsvm_line(std::string_view line, const Place& place,
                                            const LibsvmRules& rules, std::uint32_t* indices,
                                            double* values) {
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

  std::size_t count = 0;
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
    indices[count] = static_cast<std::uint32_t>(index - 1);
    values[count] = value;
    ++count;
  }
  return LibsvmLine{label, {.count = count, .width = static_cast<std::size_t>(last)}};
}

}  // namespace rampart
