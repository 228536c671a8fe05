#include "options/read_limits.hpp"

#include <fmt/format.h>

#include "options/values.hpp"
#include "rampart/errors.hpp"

namespace rampart::tool {
namespace {

constexpr const char* group = "Limits on what is read";
constexpr double bytes_of_a_megabyte = 1 << 20;

/// A number greater than 0 and at most `most`.
CLI::Option* add_limit(CLI::App& command, const std::string& name, double most,
                       const std::function<void(double)>& set, const std::string& about) {
  return command
      .add_option_function<double>(
          name,
          [=](double value) {
            if (!(value > 0) || value > most) {
              throw OptionError(
                  fmt::format("{} {}: must be greater than 0 and at most {}", name, value, most));
            }
            set(value);
          },
          about)
      ->check(a_number())
      ->group(group);
}

void add_megabytes(CLI::App& command, const std::string& name, double most, std::uint64_t& bytes,
                   const std::string& about) {
  const auto set = [&bytes](double megabytes) {
    bytes = static_cast<std::uint64_t>(megabytes * bytes_of_a_megabyte);
  };
  add_limit(command, name, most, set, fmt::format("{}; default: {}", about, bytes >> 20U))
      ->type_name("MiB");
}

}  // namespace

void add_data_limits(CLI::App& command, ReadLimits& limits) {
  constexpr double most = 4095;  // the library counts the bytes of a row in 32 bits
  add_megabytes(command, "--max-line-mb", most, limits.line_bytes,
                "Longest line, or row over many lines. Larger values take more memory");
  add_megabytes(command, "--max-cell-mb", most, limits.cell_bytes, "CSV: largest cell");
  add_limit(
      command, "--max-unpack-ratio", 1e9,
      [&limits](double ratio) { limits.unpacking_ratio = ratio; },
      fmt::format("How many times its size a .gz or .xz file may unpack to, if that is more than "
                  "256 MB; default: {}",
                  limits.unpacking_ratio))
      ->type_name("N");
}

void add_model_limit(CLI::App& command, ReadLimits& limits) {
  add_megabytes(command, "--max-model-mb", 1e9, limits.model_bytes, "Largest model file, unpacked");
}

}  // namespace rampart::tool
