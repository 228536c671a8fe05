#pragma once

#include <cstddef>
#include <optional>

#include "data/survey.hpp"
#include "rampart/dataset.hpp"
#include "rampart/model.hpp"
#include "rampart/options.hpp"
#include "rampart/train.hpp"

namespace rampart {

/// All that has to be known of the rows before training, from one reading of them: they may lie in
/// files larger than the memory, where a reading takes as long as a pass of the solver. Rows of
/// files are checked in it, before anything else looks at them.
struct FirstReading {
  struct Wanted {
    bool fingerprint = false;
    bool sample = false;
    bool filled = false;
  };

  Survey survey;
  Fingerprint fingerprint = {};
  std::size_t filled = 0;  ///< values other than 0 of rows with weight; a category counts as one

  /// The rows that the linear solver trains on first, if they are dense and in files: see
  /// sample_step().
  std::optional<Rows> sample = {};
};

/// Throws InputError for rows that are damaged or not fit for training.
[[nodiscard]] FirstReading read_first(const Problem& data, const FirstReading::Wanted& wanted,
                                      unsigned threads);

/// A trainer of rows that have been read with a fingerprint; the reading must outlive it. Null: it
/// reads them itself.
[[nodiscard]] Trainer trainer_after(const FirstReading* reading, const Problem& data,
                                    const TrainOptions& common);

/// Whether a training with these options may want FirstReading::sample.
[[nodiscard]] bool may_want_sample(const TrainOptions& options);

/// Throws InputError unless labels, weights, names and so on belong together, and both classes are
/// there. Looks at no feature.
void require_trainable(const Problem& data);

}  // namespace rampart
