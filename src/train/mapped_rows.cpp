#include "train/mapped_rows.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "util/parallel.hpp"

namespace rampart {
namespace {

/// As kernel rows are kept: float, unless that would show.
bool is_single(const Exactness& exactness, std::size_t rows) {
  constexpr double single_certifies = 1e-5;
  constexpr std::size_t small_problem = 2048;
  if (exactness.precision != Precision::automatic) {
    return exactness.precision == Precision::single_rows;
  }
  return exactness.tolerance >= single_certifies && rows > small_problem;
}

FeatureMap map_of(const TrainingRows& rows, const TrainOptions& options) {
  const KernelOptions& kernel = options.representation.kernel;
  const RbfKernel& rbf = std::get<RbfKernel>(rows.kernel);
  const bool single = is_single(options.exactness, rows.x.size());
  return kernel.landmarks > 0
             ? FeatureMap::of_landmarks(rbf, rows.x, kernel.landmarks, single,
                                        options.resources.threads)
             : FeatureMap::of_frequencies(rbf, rows.x.columns(), kernel.features, single);
}

}  // namespace

MappedRows::MappedRows(const TrainingRows& rows, const TrainOptions& options)
    : map_(map_of(rows, options)), x_(rows.x) {
  const bool single = is_single(options.exactness, rows.x.size());
  const double bytes = static_cast<double>(rows.x.size()) * static_cast<double>(map_.columns()) *
                       static_cast<double>(single ? sizeof(float) : sizeof(double));
  if (bytes > static_cast<double>(options.resources.cache_bytes)) return;
  single ? store<float>(rows, options.resources.threads)
         : store<double>(rows, options.resources.threads);
}

template <class Real>
void MappedRows::store(const TrainingRows& rows, unsigned threads) {
  constexpr std::size_t rows_per_task = 256;
  const std::size_t columns = map_.columns();
  BigBuffer<Real> values(rows.x.size() * columns);
  parallel_blocks(rows.x.size(), rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<double> some((end - begin) * columns);
    map_.apply(rows.x.range(begin, end), some);
    std::ranges::transform(some, values.data() + begin * columns,
                           [](double value) { return static_cast<Real>(value); });
  });
  values_ = std::move(values);
  const BigBuffer<Real>& kept = std::get<BigBuffer<Real>>(values_);
  x_ = RowsView::dense(std::span(kept.data(), kept.size()), rows.x.size(), columns);
  mapped_ = true;
}

}  // namespace rampart
