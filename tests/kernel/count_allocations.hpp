#pragma once

#include <cstddef>

namespace rampart::testing_support {

/// How often operator new was called in this process so far.
[[nodiscard]] std::size_t allocations();

}  // namespace rampart::testing_support
