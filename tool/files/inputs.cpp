#include "files/inputs.hpp"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "rampart/errors.hpp"

namespace rampart::tool {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> files_in(const std::string& folder) {
  std::vector<std::string> files;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    std::error_code none;
    if (!name.starts_with('.') && at->is_regular_file(none)) files.push_back(at->path().string());
  }
  if (failed) throw InputError(fmt::format("{}: {}", folder, failed.message()));
  if (files.empty()) throw InputError(fmt::format("{}: a folder without files", folder));
  return files;
}

std::vector<std::string> files_that_fit(const std::string& pattern) {
  glob_t found{};
  const int failed = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
  std::vector<std::string> files;
  for (std::size_t k = 0; failed == 0 && k < found.gl_pathc; ++k) {
    std::error_code none;
    if (!fs::is_directory(found.gl_pathv[k], none)) files.emplace_back(found.gl_pathv[k]);
  }
  globfree(&found);
  if (files.empty()) throw InputError(fmt::format("{}: no file has such a name", pattern));
  return files;
}

}  // namespace

std::vector<std::string> files_of(const std::string& data) {
  std::error_code none;
  if (data == "-") return {data};
  std::vector<std::string> files;
  if (fs::is_directory(data, none)) {
    files = files_in(data);
  } else if (!fs::exists(data, none) && data.find_first_of("*?[") != data.npos) {
    files = files_that_fit(data);
  } else {
    return {data};  // where there is none, opening it says so
  }
  std::ranges::sort(files);  // by their bytes, whatever the language of the user
  return files;
}

}  // namespace rampart::tool
