#pragma once

#include <string>

namespace rampart {

/// The part of a path before the last slash, and the slash; "." if there is none.
[[nodiscard]] std::string folder_of(const std::string& path);

/// A file that is written next to another one, to be renamed to it when it is whole.
///
/// Its writer holds a lock on it (flock) until it is renamed or removed. The system drops the locks
/// of a process however it ends, so a file aside that can be locked is abandoned. Process numbers
/// would not show that: a container has its own.
struct FileAside {
  std::string path;
  int descriptor = -1;  ///< negative: it could not be made, errno says why
};

/// Makes one in the folder of the target.
[[nodiscard]] FileAside make_file_aside(const std::string& target);

}  // namespace rampart
