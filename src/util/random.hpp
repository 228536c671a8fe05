#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>
#include <cstddef>
#include <span>
#include <utility>

namespace rampart {

/// Boost's generators are specified to the bit; those of the standard library's distributions are
/// not.
using Random = boost::random::mt19937_64;

/// One of 0 … end − 1.
inline std::size_t below(Random& random, std::size_t end) {
  return boost::random::uniform_int_distribution<std::size_t>(0, end - 1)(random);
}

/// Fisher–Yates, as far as the first `count` entries are concerned: they become a random choice.
template <class T>
void shuffle(std::span<T> items, Random& random, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k) {
    std::swap(items[k], items[k + below(random, items.size() - k)]);
  }
}

}  // namespace rampart
