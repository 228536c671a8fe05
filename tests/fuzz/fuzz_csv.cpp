// Whatever the bytes, reading them as CSV gives a data set or an InputError; and what was read can
// be written and read again.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "rampart/errors.hpp"
#include "rampart/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  rampart::Dataset read;
  try {
    read = rampart::parse_dataset(text, "file", {.format = rampart::Format::csv});
  } catch (const rampart::InputError&) {
    return 0;
  }
  rampart::ReadOptions options{.format = rampart::Format::csv, .header = true, .delimiter = ','};
  options.positive = read.classes.positive;
  const bool named = !read.features.empty();
  rampart::Dataset again = rampart::parse_dataset(rampart::to_csv(read), "again", options);
  if (!named) again.features.clear();
  if (!(again == read)) std::abort();
  return 0;
}
