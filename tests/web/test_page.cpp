#include "render/page.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace rampart::tool {
namespace {

/// What a browser takes for the data: all up to the next end tag, whatever it is inside of.
std::string data_block(const std::string& html) {
  const std::string start = R"(<script type="application/json" id="data">)";
  const std::size_t from = html.find(start) + start.size();
  return html.substr(from, html.find("</script", from) - from);
}

/// Texts with more of what HTML, JSON and UTF-8 stumble over than chance would give.
rc::Gen<std::string> difficult_text() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                          "<", "</script>", "<!--", "\"", "\\", "\n", "@DATA@", "\u2028", "ä",
                          "\xff", std::string(1, '\0'), "&lt;", "x")),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

RC_GTEST_PROP(Page, GivesBackTheDataItWasMadeFrom, ()) {
  const std::string name = *difficult_text();
  const std::string value = *difficult_text();
  const Json data = {{"title", value}, {"list", {1.5, nullptr, value}}, {"x" + name, true}};
  const std::string block = data_block(page(data));
  RC_ASSERT(block.find('<') == std::string::npos);
  // bytes that are no UTF-8 become U+FFFD, all else stays
  RC_ASSERT(Json::parse(block) ==
            Json::parse(data.dump(-1, ' ', false, Json::error_handler_t::replace)));
}

RC_GTEST_PROP(Page, DiffersFromAnotherInItsDataOnly, ()) {
  const Json data = {{"title", *difficult_text()}};
  std::string html = page(data);
  const std::string block = data_block(html);
  html.replace(html.find(block), block.size(), data_block(page(Json::object())));
  RC_ASSERT(html == page(Json::object()));
}

}  // namespace
}  // namespace rampart::tool
