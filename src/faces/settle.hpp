#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "faces/training_settings.hpp"
#include "rampart/dataset.hpp"
#include "rampart/train.hpp"
#include "train/first_reading.hpp"

namespace rampart {

/// How many values rows have.
struct Cells {
  std::size_t all = 0;               ///< zeros that sparse rows leave out included
  std::size_t filled = 0;            ///< other than 0; a category counts as one
  std::vector<std::size_t> missing;  ///< by column
};
[[nodiscard]] Cells count_cells(const Problem& rows);

/// The same from a reading of dense rows that wanted `filled`; sparse rows are read once more.
[[nodiscard]] Cells cells_of(const Problem& rows, const FirstReading& reading);

/// Puts what depends on the rows into the options: automatic scaling, and what missing values
/// become. Returns the scaling if it was chosen here: standard for rows of which at least half of
/// the values are not 0, none for others.
std::optional<ScalingKind> settle(TrainOptions& options, bool scaling_is_automatic,
                                  MissingChoice missing, const Cells& cells);

/// Which rows miss no value.
[[nodiscard]] std::vector<std::size_t> complete_rows(const Problem& data);

/// How many values are missing in which columns: "2 in 'age', 1 in column 3"; empty: none.
[[nodiscard]] std::string missing_by_column(const Problem& rows,
                                            const std::vector<std::size_t>& count);

/// A training as the command does it, of rows in memory: the same bits for the same rows and
/// settings. Rows that are dropped have the score NaN.
[[nodiscard]] Trained train_as_set(const Problem& data, const TrainingSettings& settings,
                                   const TrainObserver& observe = {}, const Model* start = nullptr);

/// The rows that are trained on under these settings, and their numbers: all, or those that miss no
/// value. Throws InputError if values are missing that must not be.
class RowsToTrainOn {
 public:
  RowsToTrainOn(const Problem& data, MissingChoice missing);

  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] bool are_all() const { return places_.empty(); }
  /// One value per row of the whole data set, NaN for those left out.
  [[nodiscard]] std::vector<double> spread(std::vector<double> values) const;
  /// Numbers of rows in the whole data set.
  [[nodiscard]] std::vector<std::size_t> numbers(std::vector<std::size_t> rows) const;

 private:
  Problem problem_;
  std::size_t all_;
  std::vector<std::size_t> kept_;    // numbers; empty: all
  std::vector<std::size_t> places_;  // which the view of them needs
  std::vector<std::int8_t> y_;
  std::vector<double> weights_;
  std::vector<std::string> groups_;
};

}  // namespace rampart
