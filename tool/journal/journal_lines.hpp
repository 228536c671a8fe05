#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "faces/results_json.hpp"
#include "journal/tuning_folds.hpp"

// The lines of a journal: the first is the problem as JSON, each of the others one training.
// journal.hpp keeps them in a file.

namespace rampart::tool {

/// One training, and how it went.
struct JournalEntry {
  std::size_t part = 0;  ///< as in TuningFolds
  FoldResult result;     ///< but for the costs, which are not written
};

/// The trainings that a journal may list.
struct JournalPlan {
  Json problem;  ///< everything that decides the results
  std::size_t parts = 1;
  std::size_t points = 0;  ///< of the grid
  std::size_t repeats = 0;
  std::size_t folds = 0;
  std::size_t max_rounds = 0;
  /// The rows of a training, by part, repetition and fold.
  std::function<FoldRows(std::size_t, std::size_t, std::size_t)> rows_of;
};

struct JournalText {
  std::vector<JournalEntry> entries;
  std::size_t bytes = 0;  ///< up to the end of the last line that is whole; 0: there is none
};

/// Lines as they are written, with their line ends.
[[nodiscard]] std::string first_line(const Json& problem);
[[nodiscard]] std::string line_of(const JournalEntry& entry);

/// Reads a journal; a last line that was cut short is left out. Throws InputError about `name` if
/// it is no journal, one of another problem, or lists what cannot have happened: a training that is
/// not planned, the same training again, or counts that are not those of its rows.
[[nodiscard]] JournalText parse_journal(std::string_view text, const std::string& name,
                                        const JournalPlan& plan);

}  // namespace rampart::tool
