#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include "rampart/options.hpp"

namespace rampart {

/// One hinge of a loss, [margin − s]₊ with s = y(u + offset), and what a row of each class pays for
/// it, C included. A ramp subtracts [floor − s]₊ from it.
struct Hinge {
  double margin;
  std::size_t offset;
  double positive;
  double negative;
};

/// A loss as a sum of hinges or ramps: everything about it that training uses.
struct HingeForm {
  std::vector<Hinge> hinges;                                ///< one or two
  double floor = -std::numeric_limits<double>::infinity();  ///< of ramps; −∞: plain hinges
  std::size_t offsets = 1;                                  ///< 1: b; 2: b − ρ and b + ρ
  double rho = 0;  ///< with one offset: the band that the loss prescribes
};
[[nodiscard]] HingeForm hinge_form(const Objective& objective);

}  // namespace rampart
