#include "train/landmarks.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "kernel/kernel_sweep.hpp"
#include "util/parallel.hpp"
#include "util/random.hpp"

namespace rampart {
namespace {

constexpr std::size_t rows_per_task = 512;

/// A random part of the rows: large enough to choose well, small enough to take little of the time
/// that mapping all rows takes.
std::vector<std::size_t> candidates(std::size_t rows, std::size_t count, Random& random) {
  constexpr std::size_t least = 4000;
  constexpr std::size_t most = 100'000;
  std::vector<std::size_t> which(rows);
  std::iota(which.begin(), which.end(), std::size_t{0});
  const std::size_t wanted =
      std::min(rows, std::max({least, 4 * count, std::min(most, rows / 50)}));
  shuffle(std::span(which), random, wanted);
  which.resize(wanted);
  std::ranges::sort(which);
  return which;
}

/// An index, with a probability in proportion to the weights, which are not all 0.
std::size_t draw(std::span<const double> weights, Random& random) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  // 53 bits of the generator: the same number on every platform.
  const double at = total * (static_cast<double>(random() >> 11U) * 0x1p-53);
  double sum = 0;
  std::size_t last = 0;
  for (std::size_t k = 0; k < weights.size(); ++k) {
    if (!(weights[k] > 0)) continue;
    last = k;
    sum += weights[k];
    if (sum > at) break;
  }
  return last;
}

}  // namespace

std::vector<std::size_t> choose_landmarks(const Kernel& kernel, RowsView x, std::size_t count,
                                          unsigned threads) {
  constexpr double least_rest = 1e-10;  // of k(x, x): what rounding leaves of nothing
  Random random(1);
  const std::vector<std::size_t> which = candidates(x.size(), count, random);
  const std::vector<std::size_t> places = x.places_of(which);
  const RowsView z = x.at_places(places);
  const KernelSweep<double> sweep(kernel, z);
  const std::size_t size = z.size();
  const std::size_t most = std::min(count, size);
  std::vector<double> rest = sweep.diagonal(z);
  std::vector<double> factor(size * most);  // row n: its part of the Cholesky factor
  std::vector<double> column(size);
  std::vector<std::size_t> chosen;
  while (chosen.size() < most) {
    if (std::ranges::all_of(rest, [](double value) { return value <= 0; })) break;
    const std::size_t pivot = draw(rest, random);
    const std::size_t done = chosen.size();
    const auto query = sweep.prepare(z, {pivot});
    const double scale = 1 / std::sqrt(rest[pivot]);
    const double* const own = factor.data() + pivot * most;
    parallel_blocks(size, rows_per_task, threads, [&](std::size_t begin, std::size_t end) {
      double* const out = column.data() + begin;
      sweep.values(query, 0, 1, begin, end, &out);
      for (std::size_t n = begin; n < end; ++n) {
        double* const row = factor.data() + n * most;
        double sum = 0;
        for (std::size_t k = 0; k < done; ++k) sum += own[k] * row[k];
        const double value = (column[n] - sum) * scale;
        row[done] = value;
        rest[n] -= value * value;
        if (rest[n] <= least_rest) rest[n] = 0;
      }
    });
    rest[pivot] = 0;
    chosen.push_back(which[pivot]);
  }
  return chosen;
}

}  // namespace rampart
