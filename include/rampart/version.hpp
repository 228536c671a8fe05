#pragma once

namespace rampart {

/// Semantic version; CMake reads it from here.
inline constexpr const char* version = "0.1.0";

}  // namespace rampart
