#pragma once

#include <mutex>
#include <string>

namespace rampart::tool {

/// Ctrl-C, termination and hanging up: unfinished files are removed, and the command leaves with
/// 128 + the number of the signal. To be called before any other thread is started.
///
/// Once all files of the command are in place, an interrupt comes too late: the command prints its
/// summary and leaves with 0. A second one ends it at once.
void handle_interrupts();

/// A file that is cut short while the command reads it in place (SIGBUS): unfinished files are
/// removed, and the command leaves with the code of bad input.
void handle_vanishing_files();

/// The line that an interrupt prints from now on: what was kept, and what would have kept more.
/// Empty: none. At first it says that no file was written, if one was begun.
void if_interrupted_say(std::string line);

/// Whether the terminal shows a line of progress, which an interrupt wipes.
void progress_is_shown(bool shown);

/// Interrupts wait while an object of this class exists. Files are made, renamed and removed under
/// it, together with the list of files that an interrupt removes.
class InterruptsHeld {
 public:
  InterruptsHeld();

  void will_remove(const std::string& file);  ///< if an interrupt comes from now on
  void will_keep(const std::string& file);
  void all_files_are_in_place();

 private:
  std::lock_guard<std::mutex> held_;
};

}  // namespace rampart::tool
