#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "journal/journal_lines.hpp"

namespace rampart::tool {

/// The results of a long tuning so far, in a file. A run that was killed, at whatever moment, is
/// resumed from it; a last line that was cut short is dropped.
class Journal {
 public:
  /// Opens the file, or creates it. Throws InputError if its lines are not of this plan.
  Journal(std::string path, const JournalPlan& plan);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The results of one part that the file had when it was opened, with the costs of the methods.
  [[nodiscard]] std::vector<FoldResult> known(std::size_t part,
                                              const std::vector<TrainOptions>& methods) const;
  [[nodiscard]] std::size_t known_count() const { return entries_.size(); }

  /// Adds a line. It has been handed to the operating system when this returns.
  void add(const JournalEntry& entry);

 private:
  void resume(const JournalPlan& plan);

  std::string path_;
  std::vector<JournalEntry> entries_;
  int descriptor_ = -1;
};

}  // namespace rampart::tool
