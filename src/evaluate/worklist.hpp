#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "evaluate/original_columns.hpp"
#include "rampart/dataset.hpp"
#include "rampart/model.hpp"

namespace rampart {

/// A value of a row that lies far from the usual.
struct StandOut {
  std::size_t column = 0;  ///< among the columns given
  double value = 0;
  double usual = 0;     ///< the mean of the feature
  double distance = 0;  ///< value − usual in standard deviations
};

struct WorklistRow {
  std::size_t row = 0;  ///< from 0
  double score = 0;
  std::vector<StandOut> stands_out;  ///< the farthest first; at least one standard deviation
};

/// The rows that go to a person.
struct Worklist {
  std::size_t total = 0;
  std::vector<WorklistRow> rows;  ///< the least certain first: smallest |f|, then by number
  bool usual_of_training = true;  ///< otherwise `usual` is that of the rows given
};

struct WorklistOptions {
  std::size_t most_rows = 200;      ///< listed; all are counted
  std::size_t most_stand_outs = 3;  ///< for each row
};

/// What is usual is known from the scaling of the model if that is standard, and otherwise taken
/// from the rows. Of sparse rows only stored values are looked at.
[[nodiscard]] Worklist worklist(const Model& model, const Dataset& data,
                                std::span<const double> scores,
                                std::span<const OriginalColumn> columns,
                                const WorklistOptions& options = {});

}  // namespace rampart
