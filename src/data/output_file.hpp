#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace rampart {

/// A file that is written completely or not at all: first to a temporary file, which is flushed to
/// the disk and then renamed.
///
/// The constructor creates the temporary file, so that a folder that is not writable fails before
/// the work, not after it. Without commit() no file remains. Pipes and devices, which cannot be
/// replaced by renaming, are written to directly.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);

  /// For a file whose beginning is known last. Not for pipes and devices: see is_seekable().
  void write_at(std::uint64_t offset, std::string_view bytes);
  void read_at(std::uint64_t offset, std::span<char> bytes) const;  ///< what was written before
  void truncate(std::uint64_t size);  ///< drops what comes after; writing goes on there
  [[nodiscard]] bool is_seekable() const noexcept { return !temporary_.empty(); }
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  void flush();  ///< waits until all data are on the disk; commit() does it too
  void commit();

  /// The temporary file, to be removed if the process has to end; empty when writing directly.
  [[nodiscard]] const std::string& temporary() const noexcept { return temporary_; }

 private:
  std::string path_;       // as the user gave it, for messages
  std::string target_;     // what is renamed over: symbolic links followed
  std::string temporary_;  // empty: none, or already renamed
  int descriptor_ = -1;
  bool flushed_ = false;
};

/// Removes temporary files that killed processes left in the folder of this file. Files that are
/// still being written are locked and are kept.
void remove_abandoned_files(const std::string& path);

}  // namespace rampart
