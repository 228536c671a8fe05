#pragma once

#include <functional>
#include <string_view>

#include "util/instruction_set.hpp"

namespace rampart::testing_support {

/// Runs the body once with each instruction set that this machine has.
inline void with_every_target(const std::function<void(std::string_view name)>& body) {
  for (const InstructionSet set : available_instruction_sets()) {
    force_instruction_set(set);
    body(to_string(set));
  }
  force_instruction_set(std::nullopt);
}

}  // namespace rampart::testing_support
