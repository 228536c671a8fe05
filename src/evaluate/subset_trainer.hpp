#pragma once

#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "rampart/cross_validation.hpp"
#include "rampart/learn.hpp"
#include "train/train_on.hpp"

namespace rampart {

/// Whether trainings on so many rows of this data should share one matrix of kernel values: the
/// kernel must not depend on which rows are trained on, the matrix and the parts of it that are
/// gathered at a time have to fit the budget, and its double precision has to be what they want.
[[nodiscard]] bool can_share_kernel(const Dataset& data, const TrainOptions& options,
                                    std::size_t training_rows, std::size_t parts);

/// How many caches of kernel rows learning has at a time, which share the budget: to choose a band
/// is to train on inner folds beside the training on all rows.
[[nodiscard]] std::size_t caches_at_once(std::span<const TrainOptions> methods);

/// Some rows of the data as a training sees them: with a precomputed kernel the features are the
/// values against just these rows.
[[nodiscard]] Dataset training_part(const Dataset& data, std::span<const std::size_t> rows,
                                    const TrainOptions& options);

/// Learns from some rows of a data set in many ways that have the kernel, the scaling and the
/// precision in common, and so the kernel rows. The results are those of learn() on these rows
/// alone, bit for bit.
class SubsetTrainer {
 public:
  /// `shared`: the kernel values between all rows of `data`, or null to compute what is needed.
  SubsetTrainer(const Dataset& data, std::vector<std::size_t> rows, const TrainOptions& common,
                const KernelMatrix* shared);
  SubsetTrainer(const SubsetTrainer&) = delete;
  SubsetTrainer& operator=(const SubsetTrainer&) = delete;

  [[nodiscard]] Trained train(const TrainOptions& options, const TrainObserver& observe = {});
  /// Where a band is chosen, the scores are still those of training.
  [[nodiscard]] Trained learn(const TrainOptions& method, const TrainObserver& observe = {});

  /// learn(), measured on other rows of the data set. The caller adds which fold it was.
  [[nodiscard]] FoldResult learn_and_measure(const TrainOptions& method,
                                             std::span<const std::size_t> test_rows,
                                             const TrainObserver& observe = {});

  /// f of other rows of the data set.
  [[nodiscard]] std::vector<double> scores(const Model& model,
                                           std::span<const std::size_t> rows) const;

 private:
  /// The scores that a band is chosen on. Those of a support vector machine do not depend on the
  /// costs, so that many costs can use them.
  struct BandBasis {
    TrainOptions options;
    std::size_t folds;
    Trained trained;
    std::vector<double> out_of_fold;
  };
  BandBasis band_basis(const TrainOptions& method, const TrainObserver& observe);

  const Dataset& data_;
  const KernelMatrix* shared_;
  std::vector<std::size_t> which_;
  Dataset part_;
  TrainingRows rows_;
  std::variant<std::monostate, OwnKernel<float>, OwnKernel<double>, SharedKernel> kernel_;
  std::optional<BandBasis> basis_;
};

}  // namespace rampart
