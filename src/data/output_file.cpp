#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fmt/format.h>

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

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// What the path names in the end. realpath() will not do: the file need not exist yet.
std::string follow_links(const std::string& path) {
  std::string at = path;
  for (int hops = 0; hops < 40; ++hops) {
    std::string link(4096, '\0');
    const ssize_t length = ::readlink(at.c_str(), link.data(), link.size());
    if (length < 0) return at;  // no link, or nothing there
    link.resize(static_cast<std::size_t>(length));
    at = link.starts_with('/') || folder_of(at) == "." ? link : folder_of(at) + link;
  }
  fail(path, ELOOP);
}

// A name next to the target that is nobody's. Short, so that it fits wherever the target's does.
std::string name_aside(const std::string& target) {
  static std::atomic<unsigned> counter = 0;
  const std::string name = fmt::format(".rampart-{}-{}.tmp", ::getpid(), counter++);
  const std::string folder = folder_of(target);
  return folder == "." ? name : folder + name;
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
  // Renaming over a file needs no right to write to it; whoever took that right away meant it.
  if (exists && ::access(target_.c_str(), W_OK) != 0) fail(path_, errno);
  do {
    temporary_ = name_aside(target_);
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor_ < 0 && (errno == EEXIST || errno == EINTR));
  if (descriptor_ < 0) {
    temporary_.clear();
    fail(path_, errno);
  }
  // If the old mode cannot be kept, the new file is still right.
  if (exists) static_cast<void>(::fchmod(descriptor_, there.st_mode & 0777));
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void OutputFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        uninterrupted([&] { return ::write(descriptor_, bytes.data(), bytes.size()); });
    if (written < 0) fail(path_, errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void OutputFile::commit() {
  const bool aside = !temporary_.empty();
  if (aside && uninterrupted([&] { return ::fsync(descriptor_); }) != 0) fail(path_, errno);
  // close() is not repeated: after EINTR the descriptor is gone all the same.
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail(path_, errno);
  if (!aside) return;

  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(path_, errno);
  temporary_.clear();
  // The rename itself must reach the disk. Some file systems cannot flush a folder: their loss.
  const int folder = ::open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  const bool failed = ::fsync(folder) != 0 && errno == EIO;
  ::close(folder);
  if (failed) fail(path_, EIO);
}

}  // namespace rampart
