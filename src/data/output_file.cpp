#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include "data/file_aside.hpp"
#include "data/output_file.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"

namespace rampart {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw OutputError(path + ": " + std::generic_category().message(error));
}

// Repeats a system call that a signal interrupted.
template <class Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

// What the path names in the end. realpath() will not do: the file need not exist yet.
std::string follow_links(const std::string& path) {
  std::string at = path;
  for (int hops = 0; hops < 40; ++hops) {
    std::string link(4096, '\0');
    const ssize_t length = ::readlink(at.c_str(), link.data(), link.size());
    if (length < 0) return at;  // no link, or nothing there
    link.resize(static_cast<std::size_t>(length));
    const std::string folder = folder_of(at);
    at = link.starts_with('/') || folder == "." ? link : folder + link;
  }
  fail(path, ELOOP);
}

}  // namespace

OutputFile::OutputFile(const std::string& path) : path_(path), target_(follow_links(path)) {
  struct stat there {};
  const bool exists = ::stat(target_.c_str(), &there) == 0;
  if (exists && S_ISDIR(there.st_mode)) fail(path_, EISDIR);
  if (exists && !S_ISREG(there.st_mode)) {
    descriptor_ = uninterrupted([&] { return ::open(target_.c_str(), O_WRONLY | O_CLOEXEC); });
    if (descriptor_ < 0) fail(path_, errno);
    return;
  }
  // Renaming over a file needs no permission to write to it; a read-only file is still respected.
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail(path_, errno);
  const FileAside aside = make_file_aside(target_);
  if (aside.descriptor < 0) fail(path_, errno);
  temporary_ = aside.path;
  descriptor_ = aside.descriptor;
  // If the old mode cannot be kept, the new file is still right.
  if (exists) static_cast<void>(::fchmod(descriptor_, there.st_mode & 0777));
}

OutputFile::~OutputFile() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());  // before close(), which unlocks it
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view bytes) {
  flushed_ = false;
  while (!bytes.empty()) {
    const ssize_t written =
        uninterrupted([&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
    if (written < 0) fail(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::write_at(std::uint64_t offset, std::string_view bytes) {
  flushed_ = false;
  while (!bytes.empty()) {
    const ssize_t written = uninterrupted([&] {
      return ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    });
    if (written < 0) fail(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
    offset += static_cast<std::uint64_t>(written);
  }
}

void OutputFile::read_at(std::uint64_t offset, std::span<char> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = uninterrupted([&] {
      return ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    });
    if (count <= 0) fail(path_, count < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

void OutputFile::truncate(std::uint64_t size) {
  flushed_ = false;
  const auto end = static_cast<off_t>(size);
  if (uninterrupted([&] { return ::ftruncate(descriptor_, end); }) != 0) fail(path_, errno);
  if (::lseek(descriptor_, end, SEEK_SET) < 0) fail(path_, errno);
}

void OutputFile::flush() {
  if (temporary_.empty() || flushed_) return;
  if (uninterrupted([&] { return ::fsync(descriptor_); }) != 0) fail(path_, errno);
  flushed_ = true;
}

void OutputFile::commit() {
  flush();
  const bool aside = !temporary_.empty();
  if (aside && std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, errno);
  temporary_.clear();
  // Only now, since it unlocks the file: under its first name it could be taken for an abandoned
  // one. Closing is not repeated: after EINTR the descriptor is gone all the same.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail(path_, errno);
  if (!aside) return;

  // The rename itself must reach the disk. Some file systems cannot flush a folder, which is no
  // error.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  const bool failed = ::fsync(folder) != 0 && errno == EIO;
  ::close(folder);
  if (failed) fail(path_, EIO);
}

}  // namespace rampart
