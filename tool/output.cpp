#include "output.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "command.hpp"
#include "rampart/errors.hpp"

namespace rampart::tool {
namespace {

// What the signal handler removes. A handler may touch nothing but plain memory and system calls.
struct UnfinishedFile {
  std::array<char, 4096> path{};
  std::atomic<bool> exists{false};
};
std::array<UnfinishedFile, most_targets> unfinished;

extern "C" void on_interrupt(int signal) {
  for (const UnfinishedFile& file : unfinished) {
    if (file.exists.load()) unlink(file.path.data());
  }
  _exit(128 + signal);
}

constexpr std::array interrupts = {SIGINT, SIGTERM, SIGHUP};

/// While it lives, interrupts wait.
class InterruptsHeld {
 public:
  InterruptsHeld() {
    sigset_t held;
    sigemptyset(&held);
    for (const int signal : interrupts) sigaddset(&held, signal);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~InterruptsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  InterruptsHeld(const InterruptsHeld&) = delete;
  InterruptsHeld& operator=(const InterruptsHeld&) = delete;

 private:
  sigset_t before_{};
};

}  // namespace

void handle_interrupts() {
  struct sigaction action = {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  for (const int signal : interrupts) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup means it
  }
}

Target::Target(const std::string& path) {
  if (path == "-") return;
  const InterruptsHeld held;  // between making the file and telling the handler
  file_.emplace(path);
  const std::string& aside = file_->temporary();
  const auto free = std::ranges::find_if(
      unfinished, [](const UnfinishedFile& file) { return !file.exists.load(); });
  if (aside.empty() || free == unfinished.end() || aside.size() >= free->path.size()) return;
  std::memcpy(free->path.data(), aside.c_str(), aside.size() + 1);
  free->exists.store(true);
  slot_ = static_cast<std::size_t>(free - unfinished.begin());
}

Target::~Target() {
  file_.reset();  // first: until it is gone, the handler has to know of it
  forget();
}

void Target::forget() {
  if (slot_) unfinished[*slot_].exists.store(false);
  slot_.reset();
}

void Target::write(std::string_view text) {
  if (file_) {
    file_->write(text);
  } else {
    print(text);
  }
}

void Target::commit() {
  if (!file_) return;
  file_->commit();
  forget();
}

void commit_all(std::deque<Target>& targets) {
  const InterruptsHeld held;
  for (Target& target : targets) target.commit();
}

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0) {
    throw OutputError(fmt::format("standard output: {}", std::strerror(errno)));
  }
}

void print_json(const Json& json) {
  print(json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

void note(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');  // a file's name may hold anything
  std::fprintf(stderr, "rampart: %s\n", line.c_str());
}

std::string percent(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

std::string number(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
}

Json json_of(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(const Interval& interval) { return Json::array({interval.low, interval.high}); }

Json json_of(const Costs& costs) {
  return {{"false_positive", costs.false_positive},
          {"false_negative", costs.false_negative},
          {"reject_positive", costs.reject_positive},
          {"reject_negative", costs.reject_negative}};
}

Json json_of(const MeanSd& value) { return {{"mean", value.mean}, {"sd", json_of(value.sd)}}; }

Json metrics_json(const Metrics& metrics) {
  Json json;
  json["rows"] = metrics.rows();
  json["risk"] = metrics.risk();
  json["rejection_rate"] = metrics.rejection_rate();
  json["accepted_accuracy"] = json_of(metrics.accepted_accuracy());
  return json;
}

}  // namespace rampart::tool
