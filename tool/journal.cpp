#include "journal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "rampart/errors.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {
namespace {

constexpr const char* format = "rampart-tune-journal";
constexpr int version = 1;
constexpr std::size_t most_bytes = std::size_t{1} << 30;

constexpr std::array statuses = {TrainStatus::converged,  TrainStatus::stationary,
                                 TrainStatus::stalled,    TrainStatus::round_limit,
                                 TrainStatus::step_limit, TrainStatus::time_limit,
                                 TrainStatus::cancelled};

TrainStatus status_from(const std::string& name) {
  for (const TrainStatus status : statuses) {
    if (to_string(status) == name) return status;
  }
  throw InputError("no such status");
}

Json to_json(std::size_t part, const FoldResult& result) {
  return {{"part", part},
          {"method", result.method},
          {"repeat", result.repeat},
          {"fold", result.fold},
          {"table", result.metrics.table},
          {"without_band", result.without_band.table},
          {"aurc", result.aurc},
          {"training_rows", result.training_rows},
          {"b", result.b},
          {"rho", result.rho},
          {"objective", result.objective},
          {"rounds", result.rounds},
          {"support_vectors", result.support_vectors},
          {"status", to_string(result.status)}};
}

FoldResult result_from(const Json& json) {
  FoldResult result;
  json.at("method").get_to(result.method);
  json.at("repeat").get_to(result.repeat);
  json.at("fold").get_to(result.fold);
  json.at("table").get_to(result.metrics.table);
  json.at("without_band").get_to(result.without_band.table);
  json.at("aurc").get_to(result.aurc);
  json.at("training_rows").get_to(result.training_rows);
  json.at("b").get_to(result.b);
  json.at("rho").get_to(result.rho);
  json.at("objective").get_to(result.objective);
  json.at("rounds").get_to(result.rounds);
  json.at("support_vectors").get_to(result.support_vectors);
  result.status = status_from(json.at("status").get<std::string>());
  return result;
}

/// Throws InputError if the problem has no such training.
void require_place(const Json& problem, std::size_t part, const FoldResult& result) {
  const std::size_t folds = problem.at("folds");
  const std::size_t repeats = problem.at("repeats");
  if (part > folds || result.method >= problem.at("points").size() || result.repeat >= repeats ||
      result.fold >= folds) {
    throw InputError("no such training");
  }
}

std::string read_all(int descriptor, const std::string& path) {
  std::string text;
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count == 0) return text;
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError(fmt::format("{}: {}", path, std::strerror(errno)));
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > most_bytes) throw InputError(fmt::format("{}: too large", path));
  }
}

void write_line(int descriptor, const Json& json, const std::string& path) {
  const std::string line = json.dump() + "\n";
  std::size_t written = 0;
  while (written < line.size()) {
    const ssize_t count = write(descriptor, line.data() + written, line.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw OutputError(fmt::format("{}: {}", path, std::strerror(errno)));
    written += static_cast<std::size_t>(count);
  }
}

}  // namespace

Journal::Journal(std::string path, const Json& problem) : path_(std::move(path)) {
  descriptor_ = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (descriptor_ < 0) throw OutputError(fmt::format("{}: {}", path_, std::strerror(errno)));
  try {
    struct stat file = {};
    if (fstat(descriptor_, &file) != 0 || !S_ISREG(file.st_mode)) {
      throw InputError(fmt::format("{}: a journal has to be an ordinary file", path_));
    }
    if (flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      throw InputError(fmt::format("{}: another run is writing to this journal", path_));
    }
    read(read_all(descriptor_, path_), problem);
  } catch (...) {
    close(descriptor_);
    throw;
  }
}

Journal::~Journal() { close(descriptor_); }

void Journal::read(const std::string& text, const Json& problem) {
  const Json head{{"format", format}, {"version", version}, {"problem", problem}};
  std::size_t begin = 0;
  std::size_t line = 0;
  while (true) {
    const std::size_t end = text.find('\n', begin);
    if (end == text.npos) break;  // cut short, or the end
    ++line;
    const Json json = Json::parse(text.begin() + static_cast<std::ptrdiff_t>(begin),
                                  text.begin() + static_cast<std::ptrdiff_t>(end), nullptr, false);
    if (line == 1) {
      if (!json.is_object() || json.value("format", Json()) != format) {
        throw InputError(fmt::format("{}: not a journal of rampart tune", path_));
      }
      if (json != head) {
        throw InputError(fmt::format(
            "{}: the journal of another run (other data, options or version); take another name, "
            "or remove it to begin anew",
            path_));
      }
    } else {
      try {
        entries_.push_back({json.at("part").get<std::size_t>(), result_from(json)});
        require_place(problem, entries_.back().part, entries_.back().result);
      } catch (const std::exception&) {
        throw InputError(fmt::format(
            "{}:{}: not a line of a journal; remove the file to begin anew", path_, line));
      }
    }
    begin = end + 1;
  }
  if (line == 0 && begin < text.size() && !head.dump().starts_with(text)) {
    throw InputError(fmt::format("{}: not a journal of rampart tune", path_));
  }
  if (ftruncate(descriptor_, static_cast<off_t>(begin)) != 0 ||
      lseek(descriptor_, 0, SEEK_END) < 0) {
    throw OutputError(fmt::format("{}: {}", path_, std::strerror(errno)));
  }
  if (line == 0) write_line(descriptor_, head, path_);
}

std::vector<FoldResult> Journal::known(std::size_t part, const std::vector<Method>& methods) const {
  std::vector<FoldResult> results;
  for (const Entry& entry : entries_) {
    if (entry.part != part) continue;
    results.push_back(entry.result);
    const Costs& costs = methods[entry.result.method].costs();
    results.back().metrics.costs = results.back().without_band.costs = costs;
  }
  return results;
}

void Journal::add(std::size_t part, const FoldResult& result) {
  write_line(descriptor_, to_json(part, result), path_);
}

}  // namespace rampart::tool
