#include "journal/journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "rampart/errors.hpp"

namespace rampart::tool {
namespace {

constexpr std::size_t most_bytes = std::size_t{1} << 30;

std::string read_all(int descriptor, const std::string& path) {
  std::string text;
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError(fmt::format("{}: {}", path, std::strerror(errno)));
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > most_bytes) {
      throw InputError(fmt::format("{}: more than 1 GiB, too large for a journal", path));
    }
  }
}

void write_line(int descriptor, const std::string& line, const std::string& path) {
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = write(descriptor, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw OutputError(fmt::format("{}: {}", path, std::strerror(errno)));
    written += static_cast<std::size_t>(count);
  }
}

}  // namespace

Journal::Journal(std::string path, const JournalPlan& plan) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor_ < 0) throw OutputError(fmt::format("{}: {}", path_, std::strerror(errno)));
  try {
    resume(plan);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Journal::~Journal() { close(descriptor_); }

void Journal::resume(const JournalPlan& plan) {
  struct stat file = {};
  if (fstat(descriptor_, &file) != 0 || !S_ISREG(file.st_mode)) {
    throw InputError(fmt::format("{}: a journal has to be an ordinary file", path_));
  }
  if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
    throw InputError(fmt::format("{}: another run is writing to this journal", path_));
  }
  JournalText held = parse_journal(read_all(descriptor_, path_), path_, plan);
  entries_ = std::move(held.entries);
  if (ftruncate(descriptor_, static_cast<off_t>(held.bytes)) != 0 ||
      lseek(descriptor_, 0, SEEK_END) < 0) {
    throw OutputError(fmt::format("{}: {}", path_, std::strerror(errno)));
  }
  if (held.bytes == 0) write_line(descriptor_, first_line(plan.problem), path_);
}

std::vector<FoldResult> Journal::known(std::size_t part,
                                       const std::vector<TrainOptions>& methods) const {
  std::vector<FoldResult> results;
  for (const JournalEntry& entry : entries_) {
    if (entry.part != part) continue;
    results.push_back(entry.result);
    const Costs& costs = methods[entry.result.method].costs();
    results.back().metrics.costs = results.back().without_band.costs = costs;
  }
  return results;
}

void Journal::add(const JournalEntry& entry) { write_line(descriptor_, line_of(entry), path_); }

}  // namespace rampart::tool
