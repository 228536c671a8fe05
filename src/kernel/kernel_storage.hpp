#pragma once

#include <concepts>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

#include "rampart/rows.hpp"
#include "util/parallel.hpp"

namespace rampart {

/// Rows z as they are kept in order to compute kernel values k(x, z) with them. There are three:
///   PanelStorage     dense rows, and sparse ones of not too many columns
///   ColumnStorage    sparse rows of many columns
///   MatrixStorage    rows of a given kernel matrix
///
/// An entry is computed by the same operations in the same order wherever its range begins or ends,
/// and k(x, z) like k(z, x): that is what makes training independent of cache sizes and threads.
template <class S>
concept KernelStorage = requires(const S& storage, RowsView x, std::vector<std::size_t> which,
                                 const typename S::Queries& queries, std::span<const double> c,
                                 std::size_t n, typename S::Value* const* out, double* sums,
                                 unsigned threads) {
  typename S::Value;    ///< float or double
  typename S::Queries;  ///< rows x, prepared for being compared with rows z
  /// Of a row of values that is computed piece by piece: how many values at a time.
  { S::piece } -> std::convertible_to<std::size_t>;
  /// Whether queries that were prepared for other rows z of as many columns will do.
  { S::queries_fit_other_rows } -> std::convertible_to<bool>;
  { storage.size() } -> std::same_as<std::size_t>;
  { queries.size() } -> std::same_as<std::size_t>;
  /// Rows `which` of x, which must live as long as the queries.
  { storage.prepare(x, which) } -> std::same_as<typename S::Queries>;
  /// out[q][i] = k(row first + q of the queries, row begin + i of z) for q < count and
  /// begin ≤ row < end: values(queries, first, count, begin, end, out).
  storage.values(queries, n, n, n, n, out);
  /// out[n][m] = k(row n of x, row m of x), x being the rows z.
  storage.matrix(x, out, threads);
  /// sums[i] += Σ c[q]·k(row q of the queries, row begin + i of z), in the order of the queries:
  /// add_weighted_values(queries, c, begin, end, sums).
  storage.add_weighted_values(queries, c, n, n, sums);
  /// k(x, x) of every row of x.
  { storage.diagonal(x) } -> std::same_as<std::vector<double>>;
  /// out[q][k] = k(row q of one, row k of other). Both must be rows of z.
  storage.between(queries, queries, out);
};

/// The whole matrix of a storage, some rows at a time.
template <class Storage>
void matrix_by_rows(const Storage& storage, RowsView x, typename Storage::Value* const* out,
                    unsigned threads) {
  constexpr std::size_t rows_together = 96;
  parallel_blocks(storage.size(), rows_together, threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::size_t> which(end - begin);
    std::iota(which.begin(), which.end(), begin);
    const auto queries = storage.prepare(x, which);
    storage.values(queries, 0, queries.size(), 0, storage.size(), out + begin);
  });
}

}  // namespace rampart
