#include "train/counted_rows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace rampart {
namespace {

/// Steele, Lea and Flood's mixer: every bit of the result depends on every bit of the argument.
std::uint64_t mixed(std::uint64_t bits) {
  bits += 0x9e3779b97f4a7c15ULL;
  bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebULL;
  return bits ^ (bits >> 31U);
}

/// The bits of a value; the same for every value that is missing.
std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN()
                                                        : value);
}

/// Hashes of the values of rows. Zeros do not count, so that dense and sparse rows agree, nor do
/// columns that are the same in all of these rows, so that one more of them changes no bit of a
/// model. Takes memory by the value that is stored: sparse rows may have millions of columns.
class Hashes {
 public:
  Hashes(RowsView x, std::span<const std::size_t> rows) : x_(x) {
    if (!x_.is_dense()) find_columns(rows);
    struct Column {
      std::size_t count = 0;  // of values other than 0
      std::uint64_t bits = 0;
      bool same = true;
    };
    std::vector<Column> columns(x_.is_dense() ? x_.columns() : columns_.size());
    for (const std::size_t n : rows) {
      for_each(n, [&](std::size_t j, std::uint64_t bits) {
        Column& column = columns[place_of(j)];
        column.same &= column.count == 0 || column.bits == bits;
        column.bits = bits;
        ++column.count;
      });
    }
    std::uint64_t next = 0;  // any number: it chooses one of many orders
    for (const Column& column : columns) {
      const bool varies = column.count > 0 && (!column.same || column.count < rows.size());
      salt_.push_back(varies ? mixed(++next) : constant);
    }
  }

  [[nodiscard]] std::uint64_t of(std::size_t n) const {
    std::uint64_t hash = 0;
    for_each(n, [&](std::size_t j, std::uint64_t bits) {
      const std::uint64_t salt = salt_[place_of(j)];
      if (salt != constant) hash = mixed(hash ^ bits) + salt;
    });
    return hash;
  }

 private:
  static constexpr std::uint64_t constant = 0;

  template <class Visit>
  void for_each(std::size_t n, const Visit& visit) const {
    x_.for_each(n, [&](std::size_t j, double value) {
      if (value != 0) visit(j, bits_of(value));
    });
  }

  void find_columns(std::span<const std::size_t> rows) {
    for (const std::size_t n : rows) {
      for_each(n, [&](std::size_t j, std::uint64_t) { columns_.push_back(j); });
    }
    std::ranges::sort(columns_);
    columns_.erase(std::ranges::unique(columns_).begin(), columns_.end());
  }

  [[nodiscard]] std::size_t place_of(std::size_t j) const {
    if (x_.is_dense()) return j;
    return static_cast<std::size_t>(std::ranges::lower_bound(columns_, j) - columns_.begin());
  }

  RowsView x_;
  std::vector<std::size_t> columns_;  // of sparse rows: those that occur, in order
  std::vector<std::uint64_t> salt_;   // by place of a column; `constant` where it is
};

/// What decides on the place of a row. Rows with equal keys may change places.
struct Key {
  std::uint64_t hash;
  std::int8_t y;
  double weight;
  std::string_view group;

  [[nodiscard]] auto all() const { return std::tuple(hash, y, weight, group); }
  [[nodiscard]] bool is_same_kind(const Key& other) const {
    return hash == other.hash && y == other.y;
  }
};

double weight_of(const Problem& data, std::size_t n) {
  return data.weights.empty() ? 1 : data.weights[n];
}

/// The sum of the weights, if all are whole numbers and it is a number of few rows; otherwise 0.
std::size_t few_repetitions(const Problem& data, std::span<const std::size_t> rows) {
  double sum = 0;
  for (const std::size_t n : rows) {
    const double weight = weight_of(data, n);
    if (weight != std::floor(weight)) return 0;
    sum += weight;
  }
  return sum <= most_ordered_rows ? static_cast<std::size_t>(sum) : 0;
}

std::vector<Key> keys_of(const Problem& data, std::span<const std::size_t> rows) {
  const Hashes hashes(data.x, rows);
  std::vector<Key> keys;
  for (const std::size_t n : rows) {
    keys.push_back({.hash = hashes.of(n),
                    .y = data.y[n],
                    .weight = weight_of(data, n),
                    .group = data.groups.empty() ? "" : std::string_view(data.groups[n])});
  }
  return keys;
}

}  // namespace

std::optional<std::vector<std::size_t>> rows_with_weight(const Problem& given) {
  if (std::ranges::find(given.weights, 0.0) == given.weights.end()) return std::nullopt;
  std::vector<std::size_t> rows;
  for (std::size_t n = 0; n < given.size(); ++n) {
    if (given.weights[n] != 0) rows.push_back(n);
  }
  return rows;
}

CountedRows::CountedRows(const Problem& given, const Representation& representation)
    : given_(given) {
  const auto counting = rows_with_weight(given);
  const auto is_one = [](double weight) { return weight == 0 || weight == 1; };
  weighted_ = !std::ranges::all_of(given.weights, is_one);
  const std::size_t rows = counting ? counting->size() : given.size();
  const bool few = rows <= most_ordered_rows;
  const bool ordered = few && representation.kernel.type != KernelType::precomputed;
  if (counting) {
    numbers_ = *counting;
  } else if (ordered) {
    numbers_.resize(rows);
    std::iota(numbers_.begin(), numbers_.end(), std::size_t{0});
  }
  if (ordered) {
    const std::vector<Key> keys = keys_of(given, numbers_);
    std::vector<std::size_t> order(rows);
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t k) { return keys[k].all(); });
    const std::vector<std::size_t> before = std::exchange(numbers_, {});
    const std::size_t repetitions = weighted_ ? few_repetitions(given, before) : 0;
    repeats_ = repetitions > rows;
    std::size_t kind = 0;
    for (std::size_t at = 0; at < rows; ++at) {
      const std::size_t k = order[at];
      if (at > 0 && !keys[k].is_same_kind(keys[order[at - 1]])) ++kind;
      const auto times = repeats_ ? static_cast<std::size_t>(keys[k].weight) : 1;
      numbers_.insert(numbers_.end(), times, before[k]);
      kinds_.insert(kinds_.end(), times, kind);
    }
    if (repeats_) weighted_ = false;
    const bool as_given = rows == given.size() && std::ranges::is_sorted(order) && !repeats_;
    if (as_given) numbers_.clear();
  }
  if (!numbers_.empty()) part_.emplace(given, numbers_, numbers_, representation);
}

Problem CountedRows::view() const {
  Problem data = part_ ? part_->view() : given_;
  if (!weighted_) data.weights = {};
  return data;
}

}  // namespace rampart
