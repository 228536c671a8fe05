#include "train/first_reading.hpp"

#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/classes.hpp"
#include "linear/linear_solver.hpp"
#include "model/fingerprint.hpp"
#include "rampart/errors.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

/// Values other than 0 of rows `begin` … `end`−1 that have any weight.
std::size_t count_filled(const Problem& data, std::size_t begin, std::size_t end) {
  std::size_t filled = 0;
  for (std::size_t n = begin; n < end; ++n) {
    if (!data.weights.empty() && data.weights[n] == 0) continue;
    data.x.for_each(n, [&](std::size_t j, double value) {
      const bool categorical = !data.categories.empty() && !data.categories[j].empty();
      filled += value != 0 || categorical ? 1 : 0;
    });
  }
  return filled;
}

/// Copies every `step`th row while the rows are read.
class SampleReader {
 public:
  SampleReader(RowsView x, std::size_t step) : x_(x), step_(step) {
    if (step_ > 0) values_.resize(((x_.size() - 1) / step_ + 1) * x_.columns());
  }

  void add(std::size_t begin, std::size_t end) {
    if (step_ == 0) return;
    for (std::size_t k = (begin + step_ - 1) / step_; k * step_ < end; ++k) {
      x_.copy_row(k * step_, std::span(values_).subspan(k * x_.columns(), x_.columns()));
    }
  }

  [[nodiscard]] std::optional<Rows> take() {
    if (step_ == 0) return std::nullopt;
    return Rows::dense(x_.columns(), std::move(values_));
  }

 private:
  RowsView x_;
  std::size_t step_;  // 0: no row is copied
  std::vector<double> values_;
};

/// The first name that stands twice; nothing if all are different.
std::optional<std::string_view> name_given_twice(std::span<const std::string> names) {
  std::set<std::string_view> known;
  for (const std::string& name : names) {
    if (!known.insert(name).second) return name;
  }
  return std::nullopt;
}

/// Throws InputError for names that a model file could not hold.
void require_names(const Problem& data) {
  const std::size_t columns = data.x.columns();
  if (!data.features.empty() && data.features.size() != columns) {
    throw InputError(fmt::format("{} features and {} names do not belong together", columns,
                                 data.features.size()));
  }
  if (const auto name = name_given_twice(data.features)) {
    throw InputError(fmt::format("two features are called {}", quoted(*name)));
  }
  if (!data.categories.empty() && data.categories.size() != columns) {
    throw InputError(fmt::format("{} features and {} lists of categories do not belong together",
                                 columns, data.categories.size()));
  }
  for (std::size_t j = 0; j < data.categories.size(); ++j) {
    if (const auto name = name_given_twice(data.categories[j])) {
      throw InputError(fmt::format("feature {} has the category {} twice", j + 1, quoted(*name)));
    }
  }
}

}  // namespace

void require_trainable(const Problem& data) {
  if (const auto fault = fault_of(data.classes)) throw InputError(*fault);
  const std::size_t rows = data.y.size();
  if (data.x.size() != rows || (!data.weights.empty() && data.weights.size() != rows)) {
    throw InputError(fmt::format("{} rows, {} labels and {} weights do not belong together",
                                 data.x.size(), rows, data.weights.size()));
  }
  if (!data.groups.empty() && data.groups.size() != rows) {
    throw InputError(
        fmt::format("{} rows and {} groups do not belong together", rows, data.groups.size()));
  }
  if (rows >= std::numeric_limits<std::uint32_t>::max()) {
    throw InputError("2^32 rows or more are too many to train on");
  }
  for (std::size_t n = 0; n < rows; ++n) {
    if (data.y[n] != 1 && data.y[n] != -1) {
      throw InputError(fmt::format("row {}: label {} is neither -1 nor 1", n + 1, data.y[n]));
    }
    if (!data.weights.empty() && !(data.weights[n] >= 0 && std::isfinite(data.weights[n]))) {
      throw InputError(
          fmt::format("row {}: weight {} must be >= 0 and finite", n + 1, data.weights[n]));
    }
  }
  for (const int label : {-1, 1}) {
    bool counts = false;
    for (std::size_t n = 0; n < rows; ++n) {
      counts |= data.y[n] == label && (data.weights.empty() || data.weights[n] > 0);
    }
    if (!counts) {
      throw InputError(fmt::format("no row of class {}{}; two classes are needed",
                                   label < 0 ? data.classes.negative : data.classes.positive,
                                   data.weights.empty() ? "" : " carries any weight"));
    }
  }
  if (data.x.columns() == 0) throw InputError("no features");
  require_names(data);
}

bool may_want_sample(const TrainOptions& options) {
  return options.uses_linear_solver() && !options.representation.kernel.maps_rows();
}

FirstReading read_first(const Problem& data, const FirstReading::Wanted& wanted, unsigned threads) {
  require_trainable(data);
  const bool keeps = wanted.sample && data.x.is_kept() && data.x.is_dense();
  SampleReader sample(data.x, keeps ? sample_step(data.size(), data.x.columns()) : 0);
  FingerprintReader fingerprint(data);
  std::atomic<std::size_t> filled = 0;
  const auto beside = [&](std::size_t begin, std::size_t end) {
    if (wanted.fingerprint) fingerprint.add(begin, end);
    if (wanted.filled) filled += count_filled(data, begin, end);
    sample.add(begin, end);
  };
  try {
    FirstReading reading{.survey = Survey(data.x, threads, beside)};
    if (wanted.fingerprint) reading.fingerprint = fingerprint.take();
    reading.filled = filled;
    reading.sample = sample.take();
    return reading;
  } catch (const InputError&) {
    data.x.ensure_readable();  // names the first damage, whichever thread has found one
    throw;
  }
}

}  // namespace rampart
