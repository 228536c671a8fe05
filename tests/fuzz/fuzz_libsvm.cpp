// Whatever the bytes, reading them as LIBSVM gives a data set or an InputError; and what was read
// can be written and read again.

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "rampart/errors.hpp"
#include "rampart/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const rampart::ReadOptions options{.format = rampart::Format::libsvm};
  try {
    const rampart::Dataset read = rampart::parse_dataset(text, "file", options);
    const rampart::Dataset again =
        rampart::parse_dataset(rampart::to_libsvm(read), "again", options);
    if (!(again == read)) std::abort();
  } catch (const rampart::InputError&) {
  }
  return 0;
}
