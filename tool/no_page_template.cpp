#include "page_template.hpp"

namespace rampart::tool {

std::span<const std::string_view> page_template() { return {}; }

}  // namespace rampart::tool
