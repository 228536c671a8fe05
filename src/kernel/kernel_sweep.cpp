#include "kernel/kernel_sweep.hpp"

#include <type_traits>

namespace rampart {
namespace {

constexpr std::size_t most_panel_columns = 1024;  // of sparse rows: zeros take memory in panels

template <class Real>
typename KernelSweep<Real>::Storage storage_for(const Kernel& kernel, RowsView z) {
  if (std::holds_alternative<PrecomputedKernel>(kernel)) return MatrixStorage<Real>(z);
  if (packs_into_panels(kernel, z)) return PanelStorage<Real>(kernel, z);
  return ColumnStorage<Real>(kernel, z);
}

}  // namespace

bool packs_into_panels(const Kernel& kernel, RowsView z) {
  if (std::holds_alternative<PrecomputedKernel>(kernel)) return false;
  return z.is_dense() || z.columns() <= most_panel_columns;
}

template <class Real>
KernelSweep<Real>::KernelSweep(const Kernel& kernel, RowsView z)
    : storage_(storage_for<Real>(kernel, z)) {}

template <class Real>
std::size_t KernelSweep<Real>::size() const {
  return std::visit([](const auto& storage) { return storage.size(); }, storage_);
}

template <class Real>
std::size_t KernelSweep<Real>::piece() const {
  return std::visit([](const auto& storage) { return std::decay_t<decltype(storage)>::piece; },
                    storage_);
}

template <class Real>
bool KernelSweep<Real>::queries_fit_other_rows() const {
  return std::visit(
      [](const auto& storage) { return std::decay_t<decltype(storage)>::queries_fit_other_rows; },
      storage_);
}

template <class Real>
typename KernelSweep<Real>::Queries KernelSweep<Real>::prepare(
    RowsView x, const std::vector<std::size_t>& which) const {
  return std::visit([&](const auto& storage) { return Queries(storage.prepare(x, which)); },
                    storage_);
}

template <class Real>
void KernelSweep<Real>::values(const Queries& queries, std::size_t first, std::size_t count,
                               std::size_t begin, std::size_t end, Real* const* out) const {
  std::visit(
      [&]<class S>(const S& storage) {
        storage.values(of<S>(queries), first, count, begin, end, out);
      },
      storage_);
}

template <class Real>
void KernelSweep<Real>::matrix(RowsView x, Real* const* out, unsigned threads) const {
  std::visit([&](const auto& storage) { storage.matrix(x, out, threads); }, storage_);
}

template <class Real>
void KernelSweep<Real>::add_weighted_values(const Queries& queries, std::span<const double> c,
                                            std::size_t begin, std::size_t end,
                                            double* sums) const {
  std::visit(
      [&]<class S>(const S& storage) {
        storage.add_weighted_values(of<S>(queries), c, begin, end, sums);
      },
      storage_);
}

template <class Real>
std::vector<double> KernelSweep<Real>::diagonal(RowsView x) const {
  return std::visit([&](const auto& storage) { return storage.diagonal(x); }, storage_);
}

template <class Real>
void KernelSweep<Real>::between(const Queries& one, const Queries& other, Real* const* out) const {
  std::visit([&]<class S>(const S& storage) { storage.between(of<S>(one), of<S>(other), out); },
             storage_);
}

template class KernelSweep<float>;
template class KernelSweep<double>;

}  // namespace rampart
