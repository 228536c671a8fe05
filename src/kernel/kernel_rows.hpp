#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace rampart {

/// A symmetric matrix as a solver sees it: small parts of it, and products with it. It does
/// not know how rows are computed, kept and shared out over threads.
template <class K>
concept KernelRows = requires(K kernel, const K constant, std::size_t n,
                              std::span<const std::uint32_t> rows,
                              std::span<typename K::Value* const> out, std::span<const double> c,
                              std::span<double> u) {
  typename K::Value;  ///< float or double
  { constant.size() } -> std::convertible_to<std::size_t>;
  { constant.diagonal(n) } -> std::convertible_to<double>;
  /// The whole matrix, if it is kept: the beginnings of its rows. Else empty.
  { kernel.whole() } -> std::convertible_to<std::vector<const typename K::Value*>>;
  /// out[i][k] = the value between row rows[i] and row columns[k].
  kernel.block(rows, rows, out);
  /// u += Σ c[k]·(row rows[k] of the matrix), in this order.
  kernel.add_rows(rows, c, u);
};

}  // namespace rampart
