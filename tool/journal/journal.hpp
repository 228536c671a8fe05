#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "journal/journal_lines.hpp"
#include "rampart/cross_validation.hpp"

namespace rampart::tool {

/// What a long tuning has found so far, in a file. A run that is killed at any moment goes on from
/// there when it is started again; a last line that was cut short is dropped.
class Journal {
 public:
  /// Opens the file, or begins it. Throws InputError if what it holds is not of this plan.
  Journal(std::string path, const JournalPlan& plan);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What it held when it was opened, of one part of the work. Costs are those of the methods.
  [[nodiscard]] std::vector<FoldResult> known(std::size_t part,
                                              const std::vector<TrainOptions>& methods) const;
  [[nodiscard]] std::size_t known_count() const { return entries_.size(); }

  /// Adds a line, which is on its way to the disk when this returns.
  void add(const JournalEntry& entry);

 private:
  void resume(const JournalPlan& plan);

  std::string path_;
  std::vector<JournalEntry> entries_;
  int descriptor_ = -1;
};

}  // namespace rampart::tool
