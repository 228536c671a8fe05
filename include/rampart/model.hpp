#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/io.hpp"
#include "rampart/kernel.hpp"
#include "rampart/options.hpp"

namespace rampart {

enum class Decision : std::int8_t { negative = -1, reject = 0, positive = 1 };

/// +1 above the band, −1 below it, no answer inside, ends included.  [eq:compositeclassifier]
[[nodiscard]] constexpr Decision decide(double score, double rho) noexcept {
  return score > rho ? Decision::positive : score < -rho ? Decision::negative : Decision::reject;
}

/// 0, 1, 2 for −, reject, +: the column of a decision in a table.
[[nodiscard]] constexpr std::size_t index_of(Decision decision) noexcept {
  return decision == Decision::negative ? 0 : decision == Decision::reject ? 1 : 2;
}

/// Why training ended.
enum class TrainStatus {
  converged,    ///< every convex problem solved, and the flat sets repeat: a stationary point
  stationary,   ///< the same with a kernel that is not known to be positive semidefinite: the
                ///< optimality conditions hold, but nothing bounds how much lower R could be
  stalled,      ///< R no longer falls, but rounding keeps the flat sets from repeating
  round_limit,  ///< max_rounds reached
  step_limit,   ///< max_steps reached
  time_limit,   ///< max_seconds reached
  cancelled,    ///< the observer returned false
};
[[nodiscard]] std::span<const Named<TrainStatus>> names_of(TrainStatus);

/// The band |f| ≤ ρ in which a classifier rejects, with the offset b of f.
struct Band {
  double b = 0;
  double rho = 0;  ///< half width, ≥ 0

  friend bool operator==(const Band&, const Band&) = default;
};

/// The objective that training reached, and the evidence that it is optimal.
struct Certificate {
  std::size_t rows = 0;
  double objective = 0;  ///< R(Θ) on the training rows
  /// Certified relative duality gap: (R − dual bound of the convex problem of Θ's flat sets) / R.
  /// Absent if the kernel is not known to be positive semidefinite.
  std::optional<double> gap = 0;
  double violation = 0;  ///< largest KKT violation left, in units of f(x)
  std::size_t rounds = 0;
  TrainStatus status = TrainStatus::converged;
  std::vector<double> history;  ///< R after each round; empty: not recorded

  friend bool operator==(const Certificate&, const Certificate&) = default;
};

/// One decision function f with its rejection band, and how they were trained.
struct Surface {
  std::vector<double> weights;       ///< linear kernel: one per feature
  std::vector<double> coefficients;  ///< other kernels: one per support vector
  Band band;
  std::optional<Band> trained_band;  ///< of training, if another band was chosen later
  Objective objective;               ///< of training
  std::optional<Costs> decide_for;   ///< costs of decisions, if training used others
  Certificate certificate;

  /// b and ρ of training. Zones, support vectors and the objective refer to them.
  [[nodiscard]] Band own_band() const { return trained_band.value_or(band); }

  /// Converts scores of the model to scores with the b of training.
  [[nodiscard]] std::vector<double> own_scores(std::span<const double> scores) const;

  /// Costs of decisions.
  [[nodiscard]] const Costs& costs() const { return decide_for ? *decide_for : objective.costs; }

  /// Number of support vectors, or of nonzero weights.
  [[nodiscard]] std::size_t complexity() const;

  friend bool operator==(const Surface&, const Surface&) = default;
};

/// The two labels, the negative one first.
[[nodiscard]] std::vector<std::string> labels_of(const ClassNames& classes);

/// A trained classifier; refers to no other data: f(x) = Σᵢ coefficientsᵢ·k(vectorsᵢ, x) + b in
/// scaled features, or weights·x + b if the kernel is linear.
///
/// All surfaces share the vectors. Two classes have one surface; more than two are not supported
/// yet.
struct Model {
  FeatureLayout features;
  Scaling scaling;
  std::vector<std::string> classes = labels_of({});  ///< of two, the negative one first
  Kernel kernel = LinearKernel{};
  Rows vectors;                      ///< the support vectors, scaled; empty if precomputed
  std::vector<std::size_t> support;  ///< precomputed: which training rows, from 0, increasing
  std::vector<Surface> surfaces = std::vector<Surface>(1);

  /// The surface of a model of two classes. Throws ModelError for other models.
  [[nodiscard]] const Surface& surface() const;
  [[nodiscard]] Surface& surface();

  /// The labels of a model of two classes. Throws ModelError for other models.
  [[nodiscard]] ClassNames class_names() const;

  friend bool operator==(const Model&, const Model&) = default;
};

/// Computes f for one row or for many. Copies what it needs of the model, and can be used by many
/// threads at once. Throws ModelError for an inconsistent model.
class Predictor {
 public:
  explicit Predictor(const Model& model, unsigned threads = 0);
  ~Predictor();
  Predictor(Predictor&&) noexcept;
  Predictor& operator=(Predictor&&) noexcept;

  /// f(x) of one row of all features, not scaled: scaling happens here. The same bits as scores().
  /// Allocates nothing, except to scale more than 4096 features for a kernel that is not linear.
  ///
  /// Throws InputError for values that are not finite, ModelError if f is not, or if the row has
  /// another number of features than the model.
  [[nodiscard]] double score(std::span<const double> row) const;

  /// f(x) of every row. The features are not scaled: scaling happens here.
  ///
  /// Throws InputError for values that are not finite, ModelError if f is not, or if the rows have
  /// another number of features than the model. Only sparse rows, which leave out zeros, may have
  /// fewer. Rows are copied, a block at a time, only where they are scaled or packed.
  [[nodiscard]] std::vector<double> scores(RowsView x) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// The answers to all rows: scores() and decide().
[[nodiscard]] std::vector<Decision> predict(const Model& model, RowsView x, unsigned threads = 0);

/// The model file: see docs/model-format.md. Loading it gives the same bits. Throws ModelError for
/// a model that could not be loaded again: numbers that are not finite, classes without two
/// different names.
[[nodiscard]] std::string to_json(const Model& model);

/// Throws ModelError, naming `name` and what is wrong.
[[nodiscard]] Model model_from_json(std::string_view text, const std::string& name);

/// "-" is standard input.
[[nodiscard]] Model load_model(const std::string& path, const ReadLimits& limits = {});
void save_model(const Model& model, const std::string& path);

}  // namespace rampart
