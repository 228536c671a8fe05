#include "train/linear_training.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "data/fetched_rows.hpp"
#include "linear/linear_solver.hpp"
#include "model/losses.hpp"
#include "rampart/errors.hpp"
#include "train/away_from_zero.hpp"
#include "train/coordinate_descent.hpp"
#include "train/linear_task.hpp"
#include "train/objective.hpp"
#include "train/ramp_sum.hpp"
#include "train/settled_offsets.hpp"
#include "train/trained_model.hpp"

namespace rampart {
namespace {

constexpr double gap_per_tolerance = 0.05;
constexpr double finest_gap = 1e-9;  // rounding of sums over many rows allows no less
constexpr std::uint64_t default_passes = 3000;

/// The loss with the weights of the classes in its caps.
HingeForm weighted(HingeForm loss, const RowWeights& of_class) {
  for (Hinge& hinge : loss.hinges) {
    hinge.positive *= of_class.positive;
    hinge.negative *= of_class.negative;
  }
  return loss;
}

/// The weights of the classes alone.
RowWeights class_weights(const Problem& data, const Objective& objective) {
  Problem without = data;
  without.weights = {};
  return row_weights(without, objective);
}

/// Whether coordinate descent is the faster way: sparse rows of very many columns, where Newton's
/// method needs conjugate gradients, and not so large a C that single rows pull w far
/// (docs/linear.md). Depends neither on the machine nor on where the rows lie.
bool is_for_descent(RowsView x, const HingeForm& loss, std::span<const double> weights) {
  constexpr std::size_t many_columns = 1000;
  constexpr double strongest_pull = 4;
  constexpr std::size_t most_values = std::size_t{350} << 20;  // 4 GB: it visits rows in no order
  if (x.is_dense() || x.columns() <= many_columns || x.stored_values() > most_values) return false;
  double squares = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t, double value) { squares += value * value; });
  }
  double cap = 0;
  for (const Hinge& hinge : loss.hinges) cap = std::max({cap, hinge.positive, hinge.negative});
  if (!weights.empty()) cap *= std::ranges::max(weights);
  return cap * squares <= strongest_pull * static_cast<double>(x.size());
}

LinearResult by_descent(const RampSum& sum, RowsView x, const LinearOptions& options,
                        const Exactness& exactness) {
  DescentOptions descent{.tolerance = options.gap};
  if (exactness.max_steps > 0) descent.max_sweeps = exactness.max_steps;
  descent.observe = [&](const DescentProgress& at) {
    return options.observe({1, at.sweeps, at.objective, at.gap});
  };
  DescentResult found = coordinate_descent(sum, x, descent);
  LinearResult result{.point = {std::move(found.weights), {}},
                      .objective = found.objective,
                      .bound = found.bound,
                      .passes = found.sweeps};
  std::ranges::copy(found.offsets, result.point.offsets.begin());
  for (const Round& round : found.history) {
    result.history.push_back({.objective = round.objective,
                              .passes = round.steps,
                              .violation = round.violation,
                              .flat = round.flat,
                              .swapped = round.swapped});
  }
  for (std::size_t n = 0; n < x.size(); ++n) {
    double v = 0;
    for (std::size_t r = 0; r < found.delta.size(); ++r) {
      const HingeLayer& layer = sum.layers[r];
      v += found.delta[r][n];
      const double cap = layer.cap(sum.y[n], n);
      const double alpha = sum.y[n] * found.delta[r][n] + (found.flat[r][n] != 0 ? cap : 0);
      if (alpha <= 0 || alpha >= cap) continue;  // not strictly inside its box
      const double s = sum.y[n] * (found.u[n] + found.offsets[layer.offset]);
      result.violation = std::max(result.violation, std::abs(layer.margin - s));
    }
    result.support += v != 0 ? 1 : 0;
  }
  switch (found.status) {
    case TrainStatus::converged:
      result.status = LinearStatus::converged;
      break;
    case TrainStatus::cancelled:
    case TrainStatus::time_limit:
      result.status = LinearStatus::cancelled;
      break;
    case TrainStatus::step_limit:
      result.status = LinearStatus::pass_limit;
      break;
    default:
      result.status = LinearStatus::stalled;
  }
  return result;
}

TrainStatus status_of(LinearStatus status, bool timed_out) {
  switch (status) {
    case LinearStatus::converged:
      return TrainStatus::converged;
    case LinearStatus::stalled:
      return TrainStatus::stalled;
    case LinearStatus::round_limit:
      return TrainStatus::round_limit;
    case LinearStatus::pass_limit:
      return TrainStatus::step_limit;
    case LinearStatus::cancelled:
      return timed_out ? TrainStatus::time_limit : TrainStatus::cancelled;
  }
  return TrainStatus::stalled;
}

/// The function of the features as a kernel expansion, without vectors that add nothing to it.
void set_expansion(Model& model, const FeatureMap& map, std::span<const double> w) {
  std::vector<std::size_t> used;
  const std::vector<double> coefficients = map.coefficients(w);
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    if (coefficients[k] == 0) continue;
    used.push_back(k);
    model.surface().coefficients.push_back(coefficients[k]);
  }
  model.kernel = map.kernel();
  model.vectors = map.vectors().subset(used);
}

/// The model without its band.
Model model_of(const Problem& data, const TrainOptions& options, const TrainingRows& rows,
               const MappedRows* mapped, std::vector<double> w) {
  Model model = model_of_rows(data, rows);
  Surface& surface = model.surface();
  surface.objective = options.objective;
  if (mapped == nullptr) {
    surface.weights = std::move(w);
  } else {
    set_expansion(model, mapped->map(), w);
  }
  return model;
}

void describe(const LinearResult& found, TrainStatus status, std::size_t rows,
              std::size_t landmarks, Trained& trained) {
  TrainReport& report = trained.report;
  for (const LinearRound& round : found.history) {
    report.history.push_back({.objective = round.objective,
                              .steps = round.passes,
                              .violation = round.violation,
                              .flat = round.flat,
                              .swapped = round.swapped});
  }
  report.objective = found.objective;
  const double size = std::max(std::abs(found.objective), 1e-300);
  report.gap = (found.objective - std::max(found.bound, 0.0)) / size;  // R is never below 0
  report.violation = found.violation;
  report.solver = LinearReport{found.passes};
  report.support_vectors = found.support;
  report.status = status;
  Certificate& certificate = trained.model.surface().certificate;
  certificate = certificate_of(report, rows);
  certificate.landmarks = landmarks;
}

bool scales_as_it_reads(const TrainingRows& rows) {
  return rows.own == nullptr && rows.x.is_dense() && rows.encoding.is_identity();
}

/// Rows of a file are not copied: there may be more of them than memory. Not with so many features
/// that a block of rows would take more than its share.
bool encodes_as_it_reads(const TrainingRows& rows) {
  constexpr std::size_t most_features = 1 << 14;
  return rows.own == nullptr && !scales_as_it_reads(rows) && rows.x.is_kept() &&
         rows.encoder().gives_dense(rows.x.is_dense()) &&
         rows.encoder().features() <= most_features;
}

/// Encodes and scales rows, a block at a time.
class EncodedRows : public RowMap {
 public:
  explicit EncodedRows(const TrainingRows& rows) : encoder_(rows.encoder()) {}

  [[nodiscard]] std::size_t columns() const override { return encoder_.features(); }

  void apply(RowsView x, std::span<double> out) const override {
    RowEncoder::Buffer buffer;
    const RowsView features = encoder_.apply(x, buffer);
    for (std::size_t n = 0; n < x.size(); ++n) {
      features.copy_row(n, out.subspan(n * columns(), columns()));
    }
  }

 private:
  RowEncoder encoder_;
};

/// Sparse rows without the columns that never occur, which may be millions: their weight is 0.
class NarrowRows {
 public:
  explicit NarrowRows(RowsView wide) : width_(wide.columns()) {
    for (std::size_t n = 0; n < wide.size(); ++n) {
      wide.for_each(
          n, [&](std::size_t j, double) { columns_.push_back(static_cast<std::uint32_t>(j)); });
    }
    std::ranges::sort(columns_);
    columns_.erase(std::ranges::unique(columns_).begin(), columns_.end());
    std::vector<std::size_t> starts{0};
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    for (std::size_t n = 0; n < wide.size(); ++n) {
      wide.for_each(n, [&](std::size_t j, double value) {
        const auto found = std::ranges::lower_bound(columns_, static_cast<std::uint32_t>(j));
        indices.push_back(static_cast<std::uint32_t>(found - columns_.begin()));
        values.push_back(value);
      });
      starts.push_back(values.size());
    }
    x_ = Rows::sparse(columns_.size(), std::move(starts), std::move(indices), std::move(values));
  }

  [[nodiscard]] RowsView x() const { return x_; }

  /// Weights of all columns.
  [[nodiscard]] std::vector<double> widened(const std::vector<double>& w) const {
    std::vector<double> wide(width_, 0.0);
    for (std::size_t k = 0; k < w.size(); ++k) wide[columns_[k]] = w[k];
    return wide;
  }

 private:
  std::size_t width_;
  std::vector<std::uint32_t> columns_;  // that occur, in order
  Rows x_;
};

/// w·x of every row.
std::vector<double> linear_product(RowsView x, const std::vector<double>& w) {
  std::vector<double> u(x.size(), 0.0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) { u[n] += w[j] * value; });
  }
  return u;
}

/// w·x of rows of files, found in the last pass of the solver: to read them once more for it would
/// take as long as that pass.
class ScoresOfLastPass {
 public:
  using ModelOf = std::function<Model(const std::vector<double>& w)>;

  ScoresOfLastPass(RowsView x, ModelOf model_of) : x_(x), model_of_(std::move(model_of)) {}

  /// What to do with every block of a pass that training may end with at this point.
  LocalPasses::BlockUse at(const LinearPoint& point) {
    if (point.w == w_) return {};  // they are known from an earlier pass
    w_ = point.w;
    u_.resize(x_.size());
    predictor_.emplace(model_of_(w_), 1);
    return [this](std::size_t begin, std::size_t end) {
      std::ranges::copy(predictor_->scores(x_.range(begin, end)),
                        u_.begin() + static_cast<std::ptrdiff_t>(begin));
    };
  }

  /// Those of these weights; empty if they are not known.
  [[nodiscard]] std::vector<double> of(const std::vector<double>& w) {
    return w == w_ ? std::move(u_) : std::vector<double>();
  }

 private:
  RowsView x_;
  ModelOf model_of_;
  std::optional<Predictor> predictor_;
  std::vector<double> w_;
  std::vector<double> u_;
};

bool has_columns_to_spare(RowsView x) {
  return !x.is_dense() && x.columns() > x.stored_values() && x.stored_values() > 0;
}

}  // namespace

bool makes_features_as_it_reads(const TrainingRows& rows) {
  return scales_as_it_reads(rows) || encodes_as_it_reads(rows);
}

Trained train_by_linear_solver(const Problem& data, const TrainingRows& rows,
                               const MappedRows* mapped, const TrainOptions& given,
                               const TrainObserver& observe, const Model* start, bool with_scores) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  const TrainOptions options = with_class_weights(given, data);
  const HingeForm loss =
      weighted(hinge_form(options.objective), class_weights(data, options.objective));
  const RowWeights weights = row_weights(data, options.objective);
  const RampSum sum = ramp_sum(options.objective, data.y, weights);
  require_computable(sum);

  const Exactness& exactness = options.exactness;
  bool timed_out = false;
  bool stopped = false;  // for good, whichever part of the training asks next
  LinearOptions linear{
      .gap = std::max(finest_gap, gap_per_tolerance * tolerance_of(options)),
      .max_rounds = exactness.max_rounds,
      .max_passes = exactness.max_steps > 0 ? exactness.max_steps : default_passes};
  linear.observe = [&](const LinearProgress& at) {
    const double objective =
        std::isfinite(at.objective) ? at.objective : std::numeric_limits<double>::quiet_NaN();
    if (stopped) return false;
    // In the units of the tolerance at which training ends.
    const double left = std::max(0.0, at.gap / gap_per_tolerance);
    stopped = observe && !observe({at.round, at.passes, left, objective});
    if (stopped) return false;
    const std::chrono::duration<double> passed = Clock::now() - begin;
    stopped = timed_out = exactness.max_seconds > 0 && passed.count() >= exactness.max_seconds;
    return !stopped;
  };
  LinearStart from;
  std::vector<double> scores;
  if (start != nullptr) {
    scores = start_scores(*start, data, options.resources.threads);
    from = {scores, start_offsets(*start, loss.offsets)};
  }
  BlockRows block{rows.x, data.y, data.weights};
  if (mapped != nullptr) {
    block.x = mapped->x();
    block.map = mapped->rest();
  }
  const std::optional<EncodedRows> encoded = mapped == nullptr && encodes_as_it_reads(rows)
                                                 ? std::optional<EncodedRows>(rows)
                                                 : std::nullopt;
  if (encoded) block.map = &*encoded;
  std::optional<NarrowRows> narrow;
  if (block.map == nullptr && has_columns_to_spare(block.x)) {
    narrow.emplace(block.x);
    block.x = narrow->x();
  }
  ScoresOfLastPass last_pass(data.x, [&](const std::vector<double>& w) {
    return model_of(data, options, rows, nullptr, w);  // its band has b = 0
  });
  LinearReading reading{
      .scaling = mapped == nullptr && scales_as_it_reads(rows) ? &rows.applied : nullptr,
      .sample = rows.sample};
  if (with_scores && mapped == nullptr && makes_features_as_it_reads(rows) && data.x.is_kept()) {
    reading.last_pass = [&](const LinearPoint& point) { return last_pass.at(point); };
  }
  const LinearTask task{block, reading, linear, options.resources.threads};
  const auto by_newton = [&] {
    return task.solve(loss, from,
                      {options.resources.checkpoint, options.resources.checkpoint_seconds});
  };
  LinearResult found;
  if (block.map == nullptr && mapped == nullptr && start == nullptr &&
      is_for_descent(block.x, loss, data.weights)) {
    found = by_descent(sum, block.x, linear, exactness);
    if (found.status == LinearStatus::pass_limit && exactness.max_steps == 0) {
      from.point = found.point;
      found = by_newton();
    }
  } else {
    found = by_newton();
  }
  const PointAtZero zero = cheapest_at_zero(loss, data.y, data.weights);
  const bool convex = std::isinf(loss.floor);
  // R has a minimum at w = 0, which rejects everything. Rounds that end near it begin once more.
  if (!convex && loss.offsets == 2 && start == nullptr && !stopped &&
      is_near_zero(found.objective, zero, data.size())) {
    if (auto other_start = start_away_from_zero(task, loss)) {
      LinearResult other = task.solve(loss, {.point = std::move(*other_start)});
      other.passes += found.passes;
      if (other.objective < not_visibly_less * found.objective) found = std::move(other);
    }
  }
  std::vector<double> u;  // of rows with columns to spare, whose model is large beside them
  if (narrow) {
    u = linear_product(narrow->x(), found.point.w);
    found.point.w = narrow->widened(found.point.w);
  }
  if (!std::ranges::all_of(found.point.w, [](double w) { return std::isfinite(w); })) {
    throw InputError("training overflowed; choose a smaller C or scale the features",
                     Setting::scaling);
  }
  const TrainStatus status = status_of(found.status, timed_out);
  if ((convex || status != TrainStatus::converged) && zero.value < found.objective) {
    std::ranges::fill(found.point.w, 0.0);
    std::ranges::fill(u, 0.0);
    found.point.offsets = zero.offsets;
    found.objective = zero.value;
    found.support = 0;
    if (!convex) found.bound = -std::numeric_limits<double>::infinity();  // of other flat sets
    if (found.history.empty()) found.history.emplace_back();
    found.history.back().objective = zero.value;
  }
  if (u.empty()) u = last_pass.of(found.point.w);
  double half_norm = 0;
  for (const double w : found.point.w) half_norm += w * w / 2;
  Trained trained{.model = model_of(data, options, rows, mapped, std::move(found.point.w))};
  const bool settles = status == TrainStatus::converged && data.size() <= few_rows;
  if (u.empty() && (with_scores || settles)) {
    u = Predictor(trained.model, options.resources.threads).scores(data.x);  // the band has b = 0
  }
  const std::span offsets = std::span(found.point.offsets).first(loss.offsets);
  if (settles) {
    settle_offsets(sum, u, offsets);
    // As a whole: beside huge caps, a difference of two losses may be nothing but rounding.
    found.objective = std::min(found.objective, half_norm + rampart::loss(sum, u, offsets));
    found.history.back().objective = found.objective;
  }
  const Band settled = trained.model.surface().band = band(sum, offsets);
  if (with_scores) {
    trained.scores = std::move(u);
    for (double& score : trained.scores) score += settled.b;
  }
  describe(found, status, data.size(), options.representation.kernel.landmarks, trained);
  return trained;
}

}  // namespace rampart
