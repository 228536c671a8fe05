#include "util/memory_limit.hpp"

#include <algorithm>
#include <fstream>
#include <string>

#if defined(__unix__) || defined(__APPLE__)
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace rampart {
namespace {

void lower(std::optional<std::uint64_t>& limit, std::uint64_t to) {
  limit = std::min(limit.value_or(to), to);
}

}  // namespace

std::optional<std::uint64_t> control_group_limit(const std::filesystem::path& root) {
  std::optional<std::uint64_t> least;
  std::ifstream groups(root / "proc/self/cgroup");  // lines of NUMBER:CONTROLLERS:PATH
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool of_memory = controllers.find(",memory,") != controllers.npos;
    if (!of_memory && controllers != ",,") continue;
    const auto top = root / (of_memory ? "sys/fs/cgroup/memory" : "sys/fs/cgroup");
    const char* name = of_memory ? "memory.limit_in_bytes" : "memory.max";
    // The limits of the parents hold too. In a container the path may be that of the host, of which
    // only the last folders exist.
    auto path = std::filesystem::path(line.substr(second + 1)).relative_path();
    while (true) {
      std::uint64_t bytes = 0;
      if (std::ifstream(top / path / name) >> bytes) lower(least, bytes);  // or "max": no limit
      if (path.empty()) break;
      path = path.parent_path();
    }
  }
  return least;
}

std::optional<std::uint64_t> memory_limit() {
  std::optional<std::uint64_t> least = control_group_limit("/");
#if defined(__unix__) || defined(__APPLE__)
  const auto pages = sysconf(_SC_PHYS_PAGES);
  const auto page = sysconf(_SC_PAGESIZE);
  if (pages > 0 && page > 0) {
    lower(least, static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page));
  }
  struct rlimit address_space = {};
  if (getrlimit(RLIMIT_AS, &address_space) == 0 && address_space.rlim_cur != RLIM_INFINITY) {
    lower(least, address_space.rlim_cur);
  }
#endif
  return least;
}

}  // namespace rampart
