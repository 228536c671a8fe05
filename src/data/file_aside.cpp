#include "data/file_aside.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "data/output_file.hpp"
#include "rampart/io.hpp"

namespace rampart {
namespace {

constexpr std::string_view prefix = ".rampart-";
constexpr std::string_view suffix = ".tmp";

// Short, so that it fits wherever the target's name does.
std::string name_aside() {
  static std::atomic<unsigned> counter = 0;
  return fmt::format("{}{}-{}{}", prefix, ::getpid(), counter++, suffix);
}

// Whether name_aside() could have given this name: two numbers with a dash between.
bool is_name_aside(std::string_view name) {
  if (!name.starts_with(prefix) || !name.ends_with(suffix)) return false;
  name.remove_prefix(prefix.size());
  name.remove_suffix(suffix.size());
  const std::size_t dash = name.find('-');
  if (dash == name.npos) return false;
  const auto is_number = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  };
  return is_number(name.substr(0, dash)) && is_number(name.substr(dash + 1));
}

bool lock(int descriptor) { return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0; }

// Locks a new file; whether it may be used. Between open() and flock() another process may have
// taken it for an abandoned file: then that process holds the lock, or has removed the file. On
// file systems without locks no process removes anything.
bool keep_new_file(int descriptor) {
  if (!lock(descriptor)) return errno != EWOULDBLOCK;
  struct stat file {};
  return ::fstat(descriptor, &file) == 0 && file.st_nlink > 0;
}

void remove_if_abandoned(const std::string& path) {
  const int descriptor = ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (descriptor < 0) return;
  struct stat locked {};
  struct stat named {};
  // Before it was locked the file may have been finished and renamed: the name decides.
  if (lock(descriptor) && ::fstat(descriptor, &locked) == 0 && ::lstat(path.c_str(), &named) == 0 &&
      S_ISREG(named.st_mode) && named.st_nlink == 1 && named.st_dev == locked.st_dev &&
      named.st_ino == locked.st_ino) {
    ::unlink(path.c_str());
  }
  ::close(descriptor);
}

}  // namespace

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

FileAside make_file_aside(const std::string& target) {
  const std::string folder = folder_of(target);
  while (true) {
    FileAside file{.path = folder == "." ? name_aside() : folder + name_aside()};
    file.descriptor = ::open(file.path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file.descriptor < 0 && (errno == EEXIST || errno == EINTR)) continue;
    if (file.descriptor < 0 || keep_new_file(file.descriptor)) return file;
    ::close(file.descriptor);
  }
}

void remove_abandoned_files(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code none;  // a folder that cannot be listed stays as it is
  for (fs::directory_iterator at(folder_of(path), none), end; !none && at != end;
       at.increment(none)) {
    std::error_code gone;
    if (is_name_aside(at->path().filename().native()) &&
        at->symlink_status(gone).type() == fs::file_type::regular) {
      remove_if_abandoned(at->path().native());
    }
  }
}

}  // namespace rampart
