// Whatever the bytes, reading them as CSV or ARFF gives a data set or an InputError; and what was
// read can be written and read again.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "rampart/errors.hpp"
#include "rampart/io.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  rampart::Dataset read;
  std::string written;
  try {
    const bool arff = text.starts_with('@') || text.starts_with('%');
    read = rampart::parse_dataset(text, "file",
                                  {.format = arff ? rampart::Format::arff : rampart::Format::csv});
    written = rampart::to_csv(read);  // a category of an ARFF file may be one that CSV cannot hold
  } catch (const rampart::InputError&) {
    return 0;
  }
  rampart::ReadOptions options{.format = rampart::Format::csv, .header = true, .delimiter = ','};
  options.positive = read.classes.positive;
  options.max_categories = 1'000'000;
  const bool named = !read.features.empty();
  for (std::size_t j = 0; j < read.categories.size(); ++j) {
    if (read.categories[j].empty()) continue;
    options.categorical.push_back(named ? read.features[j] : "x" + std::to_string(j + 1));
  }
  const rampart::Dataset again = rampart::parse_dataset(written, "again", options);
  // Missing values are equal to nothing, so the texts are compared.
  if (rampart::to_csv(again) != written) std::abort();
  return 0;
}
