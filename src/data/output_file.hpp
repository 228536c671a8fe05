#pragma once

#include <string>
#include <string_view>

namespace rampart {

/// A file that appears whole or not at all: written aside, flushed to the disk, then renamed.
///
/// The constructor already creates the file aside, so that a folder that cannot be written to is
/// found out before the work, not after it. Without commit() nothing is left behind. Pipes and
/// devices, which cannot be renamed over, are written to directly.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void flush();  ///< waits until what was written is on the disk; commit() does it too
  void commit();

  /// The file aside, to be removed if the process has to end; empty when writing directly.
  [[nodiscard]] const std::string& temporary() const noexcept { return temporary_; }

 private:
  std::string path_;       // as the user gave it, for messages
  std::string target_;     // what is renamed over: symbolic links followed
  std::string temporary_;  // empty: none, or already renamed
  int descriptor_ = -1;
  bool flushed_ = false;
};

/// Removes what killed processes left of their OutputFiles in the folder that this file is in.
/// Files that are still being written are locked, and stay.
void remove_abandoned_files(const std::string& path);

}  // namespace rampart
