#include <fmt/format.h>

#include "data/byte_source.hpp"
#include "data/limits.hpp"
#include "data/output_file.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "rampart/model.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

/// An object, perhaps behind white space or a byte order mark.
bool may_begin_a_model(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != text.npos && (text[begin] == '{' || text[begin] == '\xef');
}

}  // namespace

Model load_model(const std::string& path, const ReadLimits& limits) {
  ByteSource source = ByteSource::file(path, limits);
  const auto refuse_more = [&](std::uint64_t bytes) {
    if (bytes <= limits.model_bytes) return;
    throw ModelError(fmt::format("{}: more than {}; a larger limit reads it", source.name(),
                                 size_in_words(limits.model_bytes)),
                     Setting::model_limit);
  };
  refuse_more(source.size_hint());
  std::string text;
  text.reserve(source.size_hint());
  std::vector<char> buffer(std::size_t{1} << 16);
  while (const std::size_t count = source.read(buffer)) {
    const bool first = text.empty();
    text.append(buffer.data(), count);
    refuse_more(text.size());
    if (first && !may_begin_a_model(text)) break;  // whatever follows
  }
  return model_from_json(text, source.name());
}

void save_model(const Model& model, const std::string& path) {
  const std::string text = to_json(model);
  OutputFile file(path);
  file.write(text);
  file.commit();
}

}  // namespace rampart
