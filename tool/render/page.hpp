#pragma once

#include <string>

#include "faces/results_json.hpp"

namespace rampart::tool {

/// Whether this command can make HTML pages: building them needs Node and npm.
[[nodiscard]] bool pages_are_built();

/// Where it cannot: why not, and what to do, in one line.
[[nodiscard]] std::string no_page();

/// A complete HTML page that shows these data (their form: docs/report.md); it loads nothing.
/// Throws OutputError where pages were left out of the build.
[[nodiscard]] std::string page(const Json& data);

}  // namespace rampart::tool
