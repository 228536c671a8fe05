// Whatever the bytes, reading them as the journal of a tuning gives trainings that can have
// happened, or an InputError; and what was read can be written and read again.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "journal/journal_lines.hpp"
#include "rampart/errors.hpp"

namespace {

using namespace rampart;
using namespace rampart::tool;

// Nine rows of one class and six of the other, in two folds, twice; nested; two points.
const JournalPlan& plan() {
  static const Dataset data = [] {
    Dataset rows;
    for (int n = 0; n < 15; ++n) rows.y.push_back(n < 9 ? -1 : 1);
    return rows;
  }();
  static TuningFolds folds(data, {.folds = 2, .repeats = 2});
  static const JournalPlan plan{
      .problem = {{"rows", 15}, {"points", {1, 2}}},
      .parts = 3,
      .points = 2,
      .repeats = 2,
      .folds = 2,
      .max_rounds = 100,
      .rows_of = [](std::size_t part, std::size_t repeat, std::size_t fold) {
        return folds.at(part, repeat, fold);
      }};
  return plan;
}

void require(bool condition) {
  if (!condition) std::abort();
}

void check(const JournalEntry& entry) {
  const FoldResult& result = entry.result;
  const FoldRows rows = plan().rows_of(entry.part, result.repeat, result.fold);
  for (const Metrics& metrics : {result.metrics, result.without_band}) {
    for (const std::size_t c : {0, 1}) require(metrics.class_rows(c) == rows.test[c]);
  }
  require(result.method < 2 && result.training_rows == rows.training && result.rounds <= 100 &&
          result.support_vectors <= rows.training && std::isfinite(result.objective));
}

void read(std::string_view text) {
  JournalText journal;
  try {
    journal = parse_journal(text, "file", plan());
  } catch (const InputError&) {
    return;
  }
  require(journal.bytes <= text.size() && journal.entries.size() <= 3 * 2 * 2 * 2);
  std::string written = first_line(plan().problem);
  for (const JournalEntry& entry : journal.entries) {
    check(entry);
    written += line_of(entry);
  }
  const JournalText again = parse_journal(written, "again", plan());
  require(again.bytes == written.size() && again.entries.size() == journal.entries.size());
  for (std::size_t n = 0; n < again.entries.size(); ++n) {
    require(line_of(again.entries[n]) == line_of(journal.entries[n]));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read(text);
  read(first_line(plan().problem) + std::string(text));  // few inputs find the first line
  return 0;
}
