#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "evaluate/tune_space.hpp"
#include "rampart/options.hpp"
#include "train/folds.hpp"

namespace rampart {

/// What becomes of missing values at training.
enum class MissingChoice {
  indicator,  ///< the median, and a 0/1 column that says so
  median,
  drop,    ///< rows with missing values are left out
  refuse,  ///< an error
};
[[nodiscard]] std::span<const Named<MissingChoice>> names_of(MissingChoice);

/// The options of a training or a tuning as a user has set them: option_texts(). Some wait for the
/// rows: see settle().
struct TrainingSettings {
  TrainOptions options;                ///< but for what is below
  std::optional<ScalingKind> scaling;  ///< nothing: by the data
  MissingChoice missing = MissingChoice::indicator;
  std::optional<double> reject_cost;  ///< d; not together with `costs`
  std::optional<Costs> costs;
  std::optional<std::size_t> band_folds;  ///< nothing: by the loss
  TuneGrid grid;                          ///< what was asked for
  FoldOptions folds{.folds = 5, .repeats = 1};
  bool nested = false;

  /// Sets one of option_texts(). `lists`: whether C, gamma, mu and training-cost are lists to
  /// choose from. Throws OptionError for a name that is not there and a text that is no such value;
  /// what is out of range shows in method().
  void set(std::string_view name, const std::string& text, bool lists = false);

  /// The options of a training. Throws OptionError for the first that is out of range.
  [[nodiscard]] TrainOptions method() const;
  /// The same with another loss and other costs.
  [[nodiscard]] TrainOptions method(LossKind loss, const Costs& of_decisions) const;

  /// The grid of a tuning: where nothing was asked for, the standard one.
  [[nodiscard]] TuneGrid tune_grid() const;
};

/// γ as a user writes it. Throws OptionError.
[[nodiscard]] Gamma gamma_in(const std::string& text);

}  // namespace rampart
