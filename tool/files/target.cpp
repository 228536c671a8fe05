#include "files/target.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>

#include "data/output_file.hpp"
#include "files/interrupts.hpp"
#include "rampart/errors.hpp"

namespace rampart::tool {
namespace {

/// Removes what killed commands left behind, once for each folder that this command writes to.
void tidy_folder_of(const std::string& file) {
  static std::set<std::filesystem::path> tidied;
  if (tidied.insert(std::filesystem::path(file).parent_path()).second) remove_abandoned_files(file);
}

}  // namespace

Target::Target(const std::string& path) {
  if (path == "-") return;
  std::error_code none;
  if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none)) {
    file_.emplace(path);  // opening a pipe waits for its reader: an interrupt must not wait too
    return;
  }
  {
    InterruptsHeld held;
    file_.emplace(path);
    held.will_remove(file_->temporary());
  }
  tidy_folder_of(file_->temporary());
}

Target::~Target() {
  if (!file_) return;
  InterruptsHeld held;
  held.will_keep(file_->temporary());
  file_.reset();
}

void Target::write(std::string_view bytes) {
  if (file_) {
    file_->write(bytes);
  } else {
    print_data(bytes);
  }
}

OutputFile& Target::file() {
  if (!file_) throw OutputError("-: rows in binary form go to a file, not to standard output");
  return *file_;
}

void Target::commit_all(const std::vector<Target*>& targets) {
  for (Target* target : targets) {
    if (target->file_) target->file_->flush();  // takes time, and interrupts need not wait for it
  }
  InterruptsHeld held;
  bool any = false;
  for (Target* target : targets) {
    if (!target->file_) continue;
    const std::string aside = target->file_->temporary();
    target->file_->commit();
    held.will_keep(aside);
    any = true;
  }
  if (any) held.all_files_are_in_place();
}

void print_data(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size() ||
      std::fflush(stdout) != 0) {
    throw OutputError(fmt::format("standard output: {}", std::strerror(errno)));
  }
}

}  // namespace rampart::tool
