#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/column_storage.hpp"
#include "kernel/kernel_storage.hpp"
#include "kernel/matrix_storage.hpp"
#include "kernel/panel_storage.hpp"
#include "rampart/kernel.hpp"
#include "rampart/rows.hpp"

namespace rampart {

/// Whether rows z are packed into panels. It depends on the form and the number of columns only, so
/// that a part of the rows is treated like all of them.
[[nodiscard]] bool packs_into_panels(const Kernel& kernel, RowsView z);

/// Kernel values k(x, zₘ) of some rows x against a range of rows z, in whichever storage fits the
/// kernel and the rows z. Its functions are those of KernelStorage.
template <class Real>
class KernelSweep {
 public:
  using Value = Real;
  using Storage = std::variant<PanelStorage<Real>, ColumnStorage<Real>, MatrixStorage<Real>>;
  class Queries {
   public:
    Queries() = default;
    [[nodiscard]] std::size_t size() const {
      return std::visit([](const auto& rows) { return rows.size(); }, prepared_);
    }

   private:
    friend class KernelSweep;
    template <class Prepared>
    explicit Queries(Prepared prepared) : prepared_(std::move(prepared)) {}

    std::variant<typename PanelStorage<Real>::Queries, typename ColumnStorage<Real>::Queries,
                 typename MatrixStorage<Real>::Queries>
        prepared_;
  };

  /// Rows z must live as long as the sweep. Precomputed kernels: z is the kernel matrix itself.
  KernelSweep(const Kernel& kernel, RowsView z);

  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] std::size_t piece() const;
  [[nodiscard]] bool queries_fit_other_rows() const;
  [[nodiscard]] Queries prepare(RowsView x, const std::vector<std::size_t>& which) const;
  void values(const Queries& queries, std::size_t first, std::size_t count, std::size_t begin,
              std::size_t end, Real* const* out) const;
  void matrix(RowsView x, Real* const* out, unsigned threads) const;
  void add_weighted_values(const Queries& queries, std::span<const double> c, std::size_t begin,
                           std::size_t end, double* sums) const;
  [[nodiscard]] std::vector<double> diagonal(RowsView x) const;
  void between(const Queries& one, const Queries& other, Real* const* out) const;

 private:
  template <class StorageType>
  [[nodiscard]] static const typename StorageType::Queries& of(const Queries& queries) {
    return std::get<typename StorageType::Queries>(queries.prepared_);
  }

  Storage storage_;
};

extern template class KernelSweep<float>;
extern template class KernelSweep<double>;

}  // namespace rampart
