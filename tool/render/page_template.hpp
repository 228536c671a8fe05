#pragma once

#include <span>
#include <string_view>

namespace rampart::tool {

/// The HTML page without its data, in pieces; none where pages were left out of the build.
[[nodiscard]] std::span<const std::string_view> page_template();

/// Where pages were left out: why, as the configuration found it, and what to do, in one line.
[[nodiscard]] std::string_view why_no_page();

}  // namespace rampart::tool
