#include "train/train_once.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "rampart/errors.hpp"
#include "train/dca.hpp"
#include "train/objective.hpp"
#include "train/ramp_sum.hpp"
#include "train/trained_model.hpp"
#include "train/zero_surface.hpp"

namespace rampart {
namespace {

/// The flat sets of a model on these rows: where the rounds start.
FlatSets flat_sets_of(const Model& model, const Problem& data, const RampSum& sum,
                      unsigned threads) {
  return flat_sets(sum, start_scores(model, data, threads), start_offsets(model, sum.offsets));
}

/// Whether two of few rows are copies, which are one support vector: repeated rows make no larger
/// model than weights.
bool are_equal(const TrainingRows& rows, std::size_t n, std::size_t m) {
  if (rows.kinds.empty() || rows.kinds[n] != rows.kinds[m]) return false;
  const auto values = [&](std::size_t row) {
    std::vector<std::pair<std::size_t, double>> found;
    rows.x.for_each(row, [&](std::size_t j, double value) { found.emplace_back(j, value); });
    return found;
  };
  return values(n) == values(m);
}

Trained model_with_support(const Problem& data, const TrainOptions& options,
                           const TrainingRows& rows, const RampSum& sum, const DcaResult& found) {
  Trained trained{.model = model_of_rows(data, rows)};
  Model& model = trained.model;
  Surface& surface = model.surface();
  surface.objective = options.objective;
  surface.band = band(sum, found.theta.offsets);

  const std::vector<double> v = found.theta.point.coefficients();
  if (std::holds_alternative<LinearKernel>(rows.kernel)) {
    surface.weights = weights_of(rows.x, v);
  } else {
    std::vector<std::size_t>& support = trained.support;
    for (std::size_t n = 0; n < v.size(); ++n) {
      if (v[n] == 0) continue;
      if (!support.empty() && are_equal(rows, support.back(), n)) {
        surface.coefficients.back() += v[n];
        continue;
      }
      support.push_back(n);
      surface.coefficients.push_back(v[n]);
    }
    if (std::holds_alternative<PrecomputedKernel>(rows.kernel)) {
      model.support = support;
    } else {
      const std::vector<std::size_t> places = rows.x.places_of(support);
      model.vectors = rows.x.at_places(places).to_rows();
    }
  }
  return trained;
}

/// Fills in the report and the model's certificate.
void describe(DcaResult found, const SolverReport& solver, Trained& trained) {
  const Theta& theta = found.theta;
  const std::vector<double> v = theta.point.coefficients();
  TrainReport& report = trained.report;
  report.history = std::move(found.history);
  report.objective = theta.objective;
  if (found.bound) report.gap = relative_gap(theta.objective, *found.bound);
  report.violation = theta.violation;
  report.solver = solver;
  // Of copies that are one vector of the model only one counts.
  report.support_vectors = trained.model.vectors.size() > 0
                               ? trained.model.vectors.size()
                               : static_cast<std::size_t>(std::ranges::count_if(
                                     v, [](double value) { return value != 0; }));
  report.status = found.status;
  trained.model.surface().certificate = certificate_of(report, v.size());
}

DcaOptions dca_options(const TrainOptions& options, std::size_t rows, bool started,
                       const TrainObserver& observe) {
  const double tolerance = tolerance_of(options);
  return {.tolerance = tolerance,
          .first_tolerance = started ? 0 : std::min(largest_tolerance(options), 100 * tolerance),
          .max_rounds = options.exactness.max_rounds,
          .max_steps = options.exactness.max_steps > 0
                           ? options.exactness.max_steps
                           : std::max<std::uint64_t>(10'000'000, 100 * rows),
          .max_seconds = options.exactness.max_seconds > 0
                             ? options.exactness.max_seconds
                             : std::numeric_limits<double>::infinity(),
          .observe = observe};
}

/// ½‖w‖²: of a linear model from its weights, which may have been rounded.
double half_norm(const Surface& surface, const DualPoint& point) {
  if (surface.weights.empty()) return point.half_norm();
  double total = 0;
  for (const double w : surface.weights) total += w * w / 2;
  return total;
}

/// Replaces scores of training by scores of the model, which sums f in another order: those of rows
/// whose decision the rounding could change, or all scores and R if R could change visibly.
void use_model_scores(const Problem& data, const TrainOptions& options, const RampSum& sum,
                      DcaResult& found, Trained& trained) {
  constexpr double visible = 1e-6;  // of R
  const auto [b, rho] = trained.model.surface().band;
  double caps = 0;
  for (const HingeLayer& layer : sum.layers) {
    for (std::size_t n = 0; n < sum.y.size(); ++n) caps += layer.cap(sum.y[n], n);
  }
  const bool all = !(caps * found.rounding <= visible * found.theta.objective);
  std::vector<std::size_t> doubtful;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const double from_the_edge = std::abs(std::abs(trained.scores[n]) - rho);
    if (all || from_the_edge <= found.rounding) doubtful.push_back(n);
  }
  if (doubtful.empty()) return;
  Model without_b = trained.model;  // scores f − b; b is added below
  without_b.surface().band.b = 0;
  const std::vector<std::size_t> places = data.x.places_of(doubtful);
  const std::vector<double> u =
      Predictor(without_b, options.resources.threads).scores(data.x.at_places(places));
  for (std::size_t k = 0; k < u.size(); ++k) trained.scores[doubtful[k]] = u[k] + b;
  if (!all) return;
  // From here on Θ has the b and ρ of the model, which may have been rounded.
  Theta& theta = found.theta;
  theta.point.u = u;
  theta.offsets = sum.offsets == 2 ? std::vector{b - rho, b + rho} : std::vector{b};
  const std::vector<double> edges = sum.offsets == 2 ? std::vector{-rho, rho} : std::vector{0.0};
  theta.objective =
      half_norm(trained.model.surface(), theta.point) + loss(sum, trained.scores, edges);
  theta.flat = flat_sets(sum, trained.scores, edges);
  end_history_at(theta.objective, found.history);
  if (!found.bound) return;
  // Rounding may move a row across a kink and into or out of a flat set: this bounds the effect.
  *found.bound -= caps * found.rounding;
  const bool known = found.rounding <= tolerance_of(options) ||
                     caps * found.rounding <= largest_gap * std::abs(theta.objective);
  if (found.status == TrainStatus::converged && !known) found.status = TrainStatus::stalled;
}

/// The model with its scores. Updates `found` where rounding changes it visibly.
Trained trained_from(const Problem& data, const TrainOptions& options, const TrainingRows& rows,
                     const RampSum& sum, DcaResult& found) {
  Trained trained = model_with_support(data, options, rows, sum, found);
  const double b = trained.model.surface().band.b;
  for (const double u : found.theta.point.u) trained.scores.push_back(u + b);
  if (found.rounding > 0) use_model_scores(data, options, sum, found, trained);
  return trained;
}

}  // namespace

Trained train_once(const Problem& data, const TrainingRows& rows, AnySolver& solver,
                   const TrainOptions& given, const TrainObserver& observe, const Model* start) {
  const TrainOptions options = with_class_weights(given, data);
  const RowWeights weights = row_weights(data, options.objective);
  const RampSum sum = ramp_sum(options.objective, data.y, weights);
  require_computable(sum);
  FlatSets flat = start == nullptr ? no_flat_sets(sum)
                                   : flat_sets_of(*start, data, sum, options.resources.threads);
  const DcaOptions dca = dca_options(options, data.size(), start != nullptr, observe);
  return std::visit(
      [&](auto& of_rounds) {
        const auto before = of_rounds.report();
        DcaResult found = DcaRounds(sum, of_rounds, dca).minimise(std::move(flat));
        Trained trained = trained_from(data, options, rows, sum, found);
        if (auto zero = zero_if_cheaper(sum, found)) {
          found = std::move(*zero);
          trained = trained_from(data, options, rows, sum, found);
        }
        describe(std::move(found), of_rounds.report() - before, trained);
        return trained;
      },
      solver);
}

}  // namespace rampart
