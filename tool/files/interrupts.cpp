#include "files/interrupts.hpp"

#include <unistd.h>

#include <csignal>
#include <set>
#include <system_error>
#include <thread>

namespace rampart::tool {
namespace {

struct State {
  std::mutex mutex;
  std::set<std::string> unfinished;
  bool all_in_place = false;
};

// Never destroyed: an interrupt may come while the process exits.
State& state() {
  static State& state = *new State;
  return state;
}

/// Every other thread has these signals blocked: no computation is ever in the middle of them.
void await(const sigset_t& interrupts) {
  int signal = 0;
  sigwait(&interrupts, &signal);
  {
    const std::lock_guard lock(state().mutex);
    if (!state().all_in_place) {
      for (const std::string& file : state().unfinished) unlink(file.c_str());
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

InterruptsHeld::InterruptsHeld() : held_(state().mutex) {}

void InterruptsHeld::will_remove(const std::string& file) { state().unfinished.insert(file); }

void InterruptsHeld::will_keep(const std::string& file) { state().unfinished.erase(file); }

void InterruptsHeld::all_files_are_in_place() { state().all_in_place = true; }

}  // namespace rampart::tool
