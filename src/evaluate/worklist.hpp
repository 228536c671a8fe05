#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "evaluate/original_columns.hpp"
#include "rampart/dataset.hpp"
#include "rampart/model.hpp"

namespace rampart {

/// A value of a row that is not usual.
struct StandOut {
  std::size_t column = 0;       ///< among the columns given
  double value = 0;             ///< a number, or the code of a category
  double usual = 0;             ///< numbers: the middle of the column
  double distance = 0;          ///< numbers: value − usual in standard deviations
  std::optional<double> share;  ///< categories: of the rows given that have it
};

struct WorklistRow {
  std::size_t row = 0;               ///< from 0
  std::vector<StandOut> stands_out;  ///< the least usual first
};

/// The rows that go to a person.
struct Worklist {
  std::size_t total = 0;
  std::vector<WorklistRow> rows;  ///< the least certain first, then by number
  bool usual_of_training = true;  ///< otherwise `usual` is that of the rows given
};

struct WorklistOptions {
  std::size_t most_rows = 200;      ///< listed; all are counted
  std::size_t most_stand_outs = 3;  ///< for each row
};

/// A number stands out that lies at least one standard deviation from the middle. The middle is the
/// median of training, or the mean if the model knows only that, or otherwise the mean of the rows
/// given; the standard deviation is that of training if the model is scaled by it, otherwise that
/// of the rows given. A category stands out that at most a tenth of the rows have. Of sparse rows
/// only stored values are looked at.
///
/// Rows that are rejected for another reason than the band have no certainty, and come first.
[[nodiscard]] Worklist worklist(const Model& model, const Dataset& data,
                                std::span<const Answer> answers,
                                const std::vector<OriginalColumn>& columns,
                                const WorklistOptions& options = {});

}  // namespace rampart
