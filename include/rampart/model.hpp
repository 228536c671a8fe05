#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/encoding.hpp"
#include "rampart/familiar.hpp"
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

/// Why a row gets no answer.
enum class Reason : std::uint8_t {
  none,        ///< it has one
  ambiguous,   ///< f(x) lies in the band
  unfamiliar,  ///< it is unlike the training rows
  incomplete,  ///< a value is missing in a column that was complete in training
  unseen,      ///< a category that no training row has
  unreadable,  ///< the row could not be read
};
[[nodiscard]] std::span<const Named<Reason>> names_of(Reason);

/// An answer to one row, or why there is none.
struct Answer {
  Decision decision = Decision::reject;
  Reason reason = Reason::unreadable;
  std::uint32_t column = 0;  ///< which the reason is about, from 0, unless it is `ambiguous`
  double score = std::numeric_limits<double>::quiet_NaN();  ///< f(x); NaN: cannot be computed

  [[nodiscard]] double score_or(double otherwise) const {
    return std::isnan(score) ? otherwise : score;
  }

  /// f(x) for measuring: 0, which lies in every band, if the row is rejected for another reason
  /// than the band.
  [[nodiscard]] double certainty() const {
    return reason == Reason::none || reason == Reason::ambiguous ? score : 0.0;
  }
};

/// certainty() of each.
[[nodiscard]] std::vector<double> certainties(std::span<const Answer> answers);

/// Rows that a model could answer but, unless told to, does not.
struct Leniency {
  bool impute = false;         ///< `incomplete` rows: fill in what is missing, and answer
  bool ignore_unseen = false;  ///< `unseen` rows: answer without the category
};

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
  std::size_t landmarks = 0;    ///< > 0: R is least among the functions that so many landmarks span

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

/// A sample of the training rows: the least hashes of all. Tells how many rows of a file were
/// trained on.
struct Fingerprint {
  std::size_t rows = 0;               ///< trained on; 0: not known
  std::vector<std::uint64_t> hashes;  ///< increasing; all, if there are few rows

  friend bool operator==(const Fingerprint&, const Fingerprint&) = default;
};

/// A trained classifier; refers to no other data: f(x) = Σᵢ coefficientsᵢ·k(vectorsᵢ, x) + b in
/// scaled features, or weights·x + b if the kernel is linear. Columns become features by
/// `encoding`, then they are scaled.
///
/// All surfaces share the vectors. Two classes have one surface; more than two are not supported
/// yet.
struct Model {
  FeatureLayout features;  ///< the columns of a row
  Encoding encoding;
  Scaling scaling;
  std::vector<std::string> classes = labels_of({});  ///< of two, the negative one first
  Kernel kernel = LinearKernel{};
  Rows vectors;                      ///< the support vectors, scaled; empty if precomputed
  std::vector<std::size_t> support;  ///< precomputed: which training rows, from 0, increasing
  std::vector<Surface> surfaces = std::vector<Surface>(1);
  Familiar familiar;
  Fingerprint fingerprint;

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

  /// f(x) of one row of all columns, not scaled: encoding and scaling happen here. The same bits as
  /// scores(). Allocates nothing, except for rows that are encoded, and to scale more than 4096
  /// features for a kernel that is not linear.
  ///
  /// Throws InputError for a row that is incomplete or unseen and for values that are not finite,
  /// ModelError if f is not, or if the row has another number of columns than the model.
  [[nodiscard]] double score(std::span<const double> row) const;

  /// f(x) of every row, not scaled: encoding and scaling happen here.
  ///
  /// Throws InputError for rows that are incomplete or unseen and for values that are not finite,
  /// ModelError if f is not, or if the rows have another number of columns than the model. Only
  /// sparse rows, which leave out zeros, may have fewer. Rows are copied, a block at a time, only
  /// where they are scaled or packed.
  [[nodiscard]] std::vector<double> scores(RowsView x) const;

  /// The answer to one row, or why there is none: as answers(). Allocates nothing where score()
  /// does not, unless a value is missing.
  [[nodiscard]] Answer answer(std::span<const double> row, Leniency leniency = {}) const;

  /// The answer to every row, or why there is none; f(x) has the same bits as in scores(). Throws
  /// ModelError if the rows have another number of columns than the model, and for nothing else.
  [[nodiscard]] std::vector<Answer> answers(RowsView x, Leniency leniency = {}) const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

/// The decisions of Predictor::answers().
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
