#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "kernel/kernel_rows.hpp"
#include "kernel/kernel_sweep.hpp"
#include "kernel/panels.hpp"
#include "util/big_buffer.hpp"

namespace rampart {

/// All kernel values between the rows of a set, in double precision: computed once, shared by
/// several trainings.
class KernelMatrix {
 public:
  KernelMatrix(const Kernel& kernel, RowsView x, unsigned threads);

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::span<const double> row(std::size_t n) const {
    return {values_.data() + n * size_, size_};
  }

 private:
  std::size_t size_;
  BigBuffer<double> values_;
};

/// The part of a kernel matrix that belongs to some of its rows: what one fold trains on.
///
/// An entry does not depend on the set it was computed in (see KernelSweep), so these are the bits
/// that the rows alone would give. A row is gathered when it is first needed, and kept: solvers
/// then read adjacent memory.
class KernelSubmatrix {
 public:
  using Value = double;

  KernelSubmatrix(const KernelMatrix& whole, std::vector<std::size_t> rows)
      : whole_(whole), rows_(std::move(rows)), gathered_(rows_.size()) {}

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  [[nodiscard]] double diagonal(std::size_t n) const { return whole_.row(rows_[n])[rows_[n]]; }

  [[nodiscard]] std::span<const double> row(std::size_t n) {
    std::vector<double>& values = gathered_[n];
    if (values.empty()) {
      const auto all = whole_.row(rows_[n]);
      values.reserve(rows_.size());
      for (const std::size_t m : rows_) values.push_back(all[m]);
      ++rows_gathered_;
    }
    return values;
  }

  [[nodiscard]] std::vector<const double*> whole() {
    std::vector<const double*> rows(size());
    for (std::size_t n = 0; n < size(); ++n) rows[n] = row(n).data();
    return rows;
  }

  void block(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> columns,
             std::span<double* const> out) const {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const auto all = whole_.row(rows_[rows[i]]);
      for (std::size_t k = 0; k < columns.size(); ++k) out[i][k] = all[rows_[columns[k]]];
    }
  }

  void add_rows(std::span<const std::uint32_t> rows, std::span<const double> c,
                std::span<double> u) {
    std::vector<const double*> values(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) values[k] = row(rows[k]).data();
    add_weighted(values.data(), c.data(), rows.size(), u.size(), u.data());
  }

  [[nodiscard]] std::size_t rows_computed() const noexcept { return rows_gathered_; }

 private:
  const KernelMatrix& whole_;
  std::vector<std::size_t> rows_;  // of the whole
  std::vector<std::vector<double>> gathered_;
  std::size_t rows_gathered_ = 0;
};

static_assert(KernelRows<KernelSubmatrix>);

}  // namespace rampart
