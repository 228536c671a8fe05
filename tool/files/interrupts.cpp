#include "files/interrupts.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "commands/command.hpp"
#include "render/output.hpp"

namespace rampart::tool {
namespace {

struct State {
  std::mutex mutex;
  std::set<std::string> unfinished;
  bool all_in_place = false;
  std::optional<std::string> line;  // what to say
};

std::atomic<bool> progress_on_terminal = false;

// Never destroyed: an interrupt may come while the process exits.
State& state() {
  static State& state = *new State;
  return state;
}

/// Says what was kept, unless that would have to wait: nobody may be reading.
void say(const std::string& line) {
  pollfd stream{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
  if (poll(&stream, 1, 0) != 1 || (stream.revents & POLLOUT) == 0) return;
  // The terminal has put ^C somewhere: at the end of the line of progress, or on a line of its own.
  const bool terminal = isatty(STDERR_FILENO) == 1;
  std::string text = progress_on_terminal ? "\r\033[K" : terminal ? "\n" : "";
  if (!line.empty()) text += fmt::format("rampart: {}\n", harmless_line(line));
  // All of it at once, past the streams of the library, which a thread may have locked.
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

/// Every other thread has these signals blocked: no computation is ever in the middle of them.
void await(const sigset_t& interrupts) {
  int signal = 0;
  sigwait(&interrupts, &signal);
  {
    const std::lock_guard lock(state().mutex);
    if (!state().all_in_place) {
      for (const std::string& file : state().unfinished) unlink(file.c_str());
      say(state().line.value_or(state().unfinished.empty() ? "interrupted"
                                                           : "interrupted: no file was written"));
      _exit(128 + signal);  // holding the lock: no file is made or renamed after this
    }
  }
  sigwait(&interrupts, &signal);
  _exit(128 + signal);
}

}  // namespace

void handle_interrupts() {
  sigset_t interrupts;
  sigemptyset(&interrupts);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before = {};
    sigaction(signal, nullptr, &before);
    // What is ignored already, as by nohup, stays ignored.
    if (before.sa_handler != SIG_IGN) sigaddset(&interrupts, signal);
  }
  sigset_t outside;
  pthread_sigmask(SIG_BLOCK, &interrupts, &outside);
  try {
    std::thread([interrupts] { await(interrupts); }).detach();
  } catch (const std::system_error&) {
    // No thread could be started: interrupts end the command in the default way.
    pthread_sigmask(SIG_SETMASK, &outside, nullptr);
  }
}

namespace {

// Files to remove, for a handler of a signal, which may not wait for a lock nor allocate: a list
// that only grows at its head. Names of files that were finished or removed meanwhile are gone by
// then, and removing them again does nothing: they are never used twice.
struct Unfinished {
  std::string name;
  Unfinished* next;
};
std::atomic<Unfinished*> unfinished_files = nullptr;

void when_a_file_vanishes(int) {
  for (const Unfinished* at = unfinished_files.load(); at != nullptr; at = at->next) {
    unlink(at->name.c_str());
  }
  constexpr std::string_view text =
      "rampart: a file of rows was cut short, or its disk failed, while it was read\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
  _exit(exit_bad_input);
}

}  // namespace

void handle_vanishing_files() {
  struct sigaction action = {};
  action.sa_handler = when_a_file_vanishes;
  sigaction(SIGBUS, &action, nullptr);
}

void if_interrupted_say(std::string line) {
  const std::lock_guard lock(state().mutex);
  state().line = std::move(line);
}

void progress_is_shown(bool shown) { progress_on_terminal = shown; }

InterruptsHeld::InterruptsHeld() : held_(state().mutex) {}

void InterruptsHeld::will_remove(const std::string& file) {
  state().unfinished.insert(file);
  unfinished_files = new Unfinished{file, unfinished_files};  // for ever: see there
}

void InterruptsHeld::will_keep(const std::string& file) { state().unfinished.erase(file); }

void InterruptsHeld::all_files_are_in_place() { state().all_in_place = true; }

}  // namespace rampart::tool
