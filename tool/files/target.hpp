#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/output_file.hpp"
#include "rampart/io.hpp"

namespace rampart::tool {

/// Where a command's result goes: a file that appears whole or not at all, or standard output.
/// While a file is being written, an interrupt removes what is there of it.
class Target {
 public:
  explicit Target(const std::string& path);  ///< "-" is standard output
  ~Target();
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;

  void write(std::string_view bytes);
  void commit() { commit_all({this}); }

  /// The file itself, for output that is not written from the beginning to the end. Throws
  /// OutputError for standard output.
  [[nodiscard]] OutputFile& file();
  [[nodiscard]] bool is_stdout() const { return !file_.has_value(); }

  /// All files of a command together: an interrupt finds none of them in place, or all.
  static void commit_all(const std::vector<Target*>& targets);

 private:
  std::optional<OutputFile> file_;
};

/// Standard output for programs: exactly these bytes. Throws OutputError.
void print_data(std::string_view bytes);

}  // namespace rampart::tool
