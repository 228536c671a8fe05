#pragma once

#include <concepts>
#include <cstddef>

namespace rampart {

/// A symmetric matrix read by rows, as a solver sees it. The last two rows asked for stay valid.
template <class K>
concept KernelRows = requires(K kernel, const K constant, std::size_t n) {
  { *kernel.row(n).data() } -> std::convertible_to<double>;
  { constant.diagonal(n) } -> std::convertible_to<double>;
  { constant.size() } -> std::convertible_to<std::size_t>;
};

}  // namespace rampart
