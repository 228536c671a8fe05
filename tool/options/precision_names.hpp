#pragma once

#include <array>
#include <string_view>
#include <utility>

#include "rampart/options.hpp"

namespace rampart::tool {

/// The values of --precision, and their names in JSON.
inline constexpr std::array precision_names = {
    std::pair{Precision::automatic, std::string_view("auto")},
    std::pair{Precision::single_rows, std::string_view("single")},
    std::pair{Precision::double_rows, std::string_view("double")}};

}  // namespace rampart::tool
