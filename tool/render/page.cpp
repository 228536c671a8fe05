#include "render/page.hpp"

#include "rampart/errors.hpp"
#include "render/page_template.hpp"

namespace rampart::tool {
namespace {

constexpr std::string_view place = "@DATA@";

/// JSON that may stand inside a script element, which ends at the first "</script" whatever the
/// quotes around it. In JSON a "<" can only be inside a string, where it has another spelling.
std::string data_block(const Json& data) {
  std::string block;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      block += "\\u003c";
    } else {
      block += c;
    }
  }
  return block;
}

}  // namespace

bool pages_are_built() { return !page_template().empty(); }

std::string no_page() { return "no page: " + std::string(why_no_page()); }

std::string page(const Json& data) {
  if (!pages_are_built()) throw OutputError(no_page());
  std::string html;
  for (const std::string_view piece : page_template()) html += piece;
  return html.replace(html.find(place), place.size(), data_block(data));
}

}  // namespace rampart::tool
