#pragma once

#include <span>
#include <string_view>

namespace rampart::tool {

/// The HTML page without its data, in pieces; none where pages were left out of the build.
[[nodiscard]] std::span<const std::string_view> page_template();

}  // namespace rampart::tool
