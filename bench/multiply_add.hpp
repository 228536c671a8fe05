#pragma once

#include <cstddef>

namespace rampart {

/// Does so many rounds of multiply-adds with the widest instructions there are; returns the number
/// of floating-point operations in them.
double multiply_add_chains(std::size_t rounds);

}  // namespace rampart
