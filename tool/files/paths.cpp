#include "files/paths.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <utility>

#include "rampart/errors.hpp"

namespace rampart::tool {

void require_own_stdout(bool json, const std::string& output) {
  if (!json || output != "-") return;
  throw OptionError("--json: give --output FILE; the model would share standard output with it");
}

void require_other_file(const std::string& output, const std::vector<std::string>& inputs) {
  struct stat written = {};
  if (output == "-" || stat(output.c_str(), &written) != 0 || !S_ISREG(written.st_mode)) return;
  for (const std::string& input : inputs) {
    struct stat read = {};
    const int failed = input == "-" ? fstat(STDIN_FILENO, &read) : stat(input.c_str(), &read);
    if (failed == 0 && read.st_dev == written.st_dev && read.st_ino == written.st_ino) {
      throw OptionError(fmt::format("output {}: is an input too, and would be lost", output));
    }
  }
}

void require_different_outputs(const std::vector<std::string>& outputs) {
  std::map<std::filesystem::path, std::string> seen;  // and how it was first named
  for (const std::string& output : outputs) {
    std::error_code none;
    // Several outputs may go to one device or pipe.
    const bool file =
        !output.empty() && output != "-" &&
        (!std::filesystem::exists(output, none) || std::filesystem::is_regular_file(output, none));
    if (!file) continue;
    std::filesystem::path whole = std::filesystem::absolute(output, none);
    for (int links = 0; links < 40 && std::filesystem::is_symlink(whole, none); ++links) {
      whole = whole.parent_path() / std::filesystem::read_symlink(whole, none);  // may lead nowhere
    }
    whole = std::filesystem::weakly_canonical(whole, none);
    const auto [first, fresh] = seen.emplace(std::move(whole), output);
    if (!fresh) throw OptionError(fmt::format("output {}: is named twice", first->second));
  }
}

void require_one_stdin(const std::string& model, const std::string& data) {
  if (model != "-" || data != "-") return;
  throw OptionError("-: only one of MODEL and DATA can be standard input");
}

}  // namespace rampart::tool
