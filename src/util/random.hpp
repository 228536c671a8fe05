#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstddef>
#include <span>
#include <utility>

namespace rampart {

/// Boost's distributions give the same bits on every platform; those of the standard library need
/// not.
using Random = boost::random::mt19937_64;

/// One of 0 … end − 1.
inline std::size_t below(Random& random, std::size_t end) {
  return boost::random::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

/// Fisher–Yates for the first `count` entries: they become a random choice of all.
template <class T>
void shuffle(std::span<T> items, Random& random, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    std::swap(items[k], items[k + below(random, items.size() - k)]);
  }
}

}  // namespace rampart
