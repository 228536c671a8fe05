#include "kernel/kernel_expansion.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "kernel/kernel_sweep.hpp"
#include "kernel/one_row.hpp"
#include "kernel/panels.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

constexpr std::size_t width = panel_rows<double>;

double half_norm_of(std::span<const double> x) {
  double squared_norm = 0;
  squared_norms(x.data(), 1, x.size(), &squared_norm);
  return squared_norm / 2;
}

}  // namespace

KernelExpansion::SparseVectors::SparseVectors(const Kernel& kernel, RowsView vectors)
    : kernel_(row_kernel(kernel)) {
  const std::size_t padded = (vectors.size() + width - 1) / width * width;
  half_norms_.assign(padded, 0.0);
  starts_.push_back(0);
  for (std::size_t n = 0; n < vectors.size(); ++n) {
    vectors.for_each(n, [&](std::size_t j, double value) {
      columns_.push_back(static_cast<std::uint32_t>(j));
      values_.push_back(value);
    });
    half_norms_[n] = half_norm_of(std::span(values_).subspan(starts_.back()));
    largest_half_norm_ = std::max(largest_half_norm_, half_norms_[n]);
    starts_.push_back(values_.size());
  }
  starts_.resize(padded + 1, values_.size());
}

double KernelExpansion::SparseVectors::weighted_sum(std::span<const double> x,
                                                    std::span<const double> c) const {
  const double half_norm = half_norm_of(x);
  std::array<double, width> values;
  double sum = 0;
  for (std::size_t first = 0; first < c.size(); first += width) {
    RowTask task{.x = x.data(),
                 .x_norm = half_norm,
                 .columns = x.size(),
                 .panels = nullptr,
                 .panel_norms = half_norms_.data() + first,
                 .count = 1,
                 .out = values.data(),
                 .sparse = {starts_.data() + first, columns_.data(), values_.data()}};
    row_values(kernel_, task, half_norm + largest_half_norm_);
    const std::size_t count = std::min(width, c.size() - first);
    sum = add_in_order(values.data(), c.data() + first, count, sum);
  }
  return sum;
}

KernelExpansion::KernelExpansion(const Kernel& kernel, RowsView vectors,
                                 std::vector<double> coefficients)
    : columns_(vectors.columns()),
      coefficients_(std::move(coefficients)),
      vectors_(packs_into_panels(kernel, vectors)
                   ? decltype(vectors_)(PanelStorage<double>(kernel, vectors))
                   : decltype(vectors_)(SparseVectors(kernel, vectors))) {
  RAMPART_ASSERT(coefficients_.size() == vectors.size(), "one coefficient a vector");
}

double KernelExpansion::operator()(std::span<const double> x) const noexcept {
  RAMPART_ASSERT(x.size() == columns_, "a row has every column");
  return std::visit([&](const auto& vectors) { return vectors.weighted_sum(x, coefficients_); },
                    vectors_);
}

}  // namespace rampart
