#include "evaluate/train_and_measure.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "evaluate/risk_coverage.hpp"
#include "kernel/kernel_matrix.hpp"
#include "train/counted_rows.hpp"
#include "train/problem_part.hpp"
#include "train/trainer.hpp"
#include "util/assert.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

/// Indices of methods that share rows, in the order of their first members.
std::vector<std::vector<std::size_t>> families(std::span<const TrainOptions> methods) {
  std::vector<std::vector<std::size_t>> found;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    const auto family = std::ranges::find_if(found, [&](const std::vector<std::size_t>& members) {
      return methods[m].shares_kernel_rows_with(methods[members.front()]);
    });
    if (family == found.end()) {
      found.push_back({m});
    } else {
      family->push_back(m);
    }
  }
  return found;
}

std::size_t most_band_folds(std::span<const TrainOptions> methods) {
  std::size_t most = 0;
  for (const TrainOptions& method : methods) most = std::max(most, method.band.folds);
  return most;
}

/// The place of a result in the report.
struct Layout {
  std::size_t repeats;
  std::size_t folds;

  [[nodiscard]] std::size_t at(std::size_t method, std::size_t repeat, std::size_t fold) const {
    return (method * repeats + repeat) * folds + fold;
  }
};

/// Passes results and progress to the caller's hooks, one call at a time.
class Reporter {
 public:
  Reporter(const CvHooks& hooks, std::size_t total, std::size_t done)
      : hooks_(hooks), total_(total), done_(done) {}

  void found(const FoldResult& result) {
    const std::lock_guard lock(mutex_);
    ++done_;
    if (hooks_.found) hooks_.found(result);
    check_progress();
  }

  /// Whether to go on. Long trainings call it.
  bool goes_on() {
    const std::lock_guard lock(mutex_);
    check_progress();
    return !cancelled_;
  }

  [[nodiscard]] bool cancelled() const { return cancelled_; }

 private:
  void check_progress() {
    if (hooks_.progress && !hooks_.progress(done_, total_)) cancelled_ = true;
  }

  const CvHooks& hooks_;
  std::mutex mutex_;
  std::size_t total_;
  std::size_t done_;
  std::atomic<bool> cancelled_{false};
};

void check(const Problem& data, std::span<const TrainOptions> methods, const FoldOptions& folds) {
  if (methods.empty()) throw OptionError("cross-validation: no methods to compare");
  for (const TrainOptions& method : methods) method.validate();
  if (folds.repeats < 1) throw OptionError("repeats = 0: must be at least 1");
  if (data.x.size() != data.size() ||
      (!data.weights.empty() && data.weights.size() != data.size())) {
    throw InputError(fmt::format("{} rows, {} labels and {} weights do not belong together",
                                 data.x.size(), data.size(), data.weights.size()));
  }
}

/// The failure of the task with the lowest number, so that every run reports the same error. Tasks
/// with higher numbers can be skipped.
class FirstFailure {
 public:
  [[nodiscard]] bool before(std::size_t task) const { return task_ < task; }

  void note(std::size_t task, std::exception_ptr failure) {
    const std::lock_guard lock(mutex_);
    if (task_ < task) return;
    task_ = task;
    failure_ = std::move(failure);
  }

  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::atomic<std::size_t> task_{std::numeric_limits<std::size_t>::max()};
  std::exception_ptr failure_;
};

/// The error of one training, with its fold and repetition in front.
std::exception_ptr failure_about(const InputError& error, std::size_t repeat, std::size_t fold) {
  return std::make_exception_ptr(error_about(
      fmt::format("training without fold {} of repetition {}", fold + 1, repeat + 1), error));
}

MeanSd mean_sd(std::vector<double> values) {
  // Sums differences from the smallest value, so that the mean of equal values is exact: a method
  // that rejects everything has exactly the risk of that rule. Sorts first, so that the mean does
  // not depend on the order of the values.
  std::ranges::sort(values);
  const auto count = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value - values.front();
  MeanSd result{.mean = values.front() + sum / count, .sd = std::nullopt};
  if (values.size() < 2) return result;
  double squares = 0;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  result.sd = std::sqrt(squares / (count - 1));
  return result;
}

std::optional<WeightedTable> weighted_table(std::span<const double> scores, const Problem& test,
                                            double rho) {
  if (test.weights.empty()) return std::nullopt;
  WeightedTable found;
  for (std::size_t n = 0; n < test.size(); ++n) {
    found.table[test.y[n] > 0 ? 1 : 0][index_of(decide(scores[n], rho))] += test.weights[n];
  }
  return found;
}

}  // namespace

double WeightedTable::risk(const Costs& costs) const {
  const auto& [negative, positive] = table;
  double weight = 0;
  for (const auto& row : table) weight += row[0] + row[1] + row[2];
  // In the order of Metrics::risk(): whole weights have the bits of rows that are repeated.
  const double cost = negative[2] * costs.false_positive + positive[0] * costs.false_negative +
                      positive[1] * costs.reject_positive + negative[1] * costs.reject_negative;
  return cost / weight;
}

WeightedTable& WeightedTable::operator+=(const WeightedTable& other) {
  for (std::size_t c = 0; c < table.size(); ++c) {
    for (std::size_t a = 0; a < table[c].size(); ++a) table[c][a] += other.table[c][a];
  }
  return *this;
}

FoldResult train_and_measure(Trainer& trainer, const TrainOptions& method, const Problem& test,
                             const TrainObserver& observe) {
  const Trained trained = trainer.train(method, observe);
  const Surface& surface = trained.model.surface();
  const std::vector<Answer> answers =
      Predictor(trained.model, method.resources.threads).answers(test.x);
  const std::vector<double> found = certainties(answers);
  std::vector<double> answered;  // also of rows that are rejected for themselves
  for (const Answer& answer : answers) answered.push_back(answer.score_or(0));
  return {.metrics = measure(found, test.y, surface.band.rho, surface.costs()),
          .weighted = weighted_table(found, test, surface.band.rho),
          .without_band = measure(surface.own_scores(answered), test.y, 0, surface.costs()),
          .aurc = aurc(found, test.y),
          .training_rows = surface.certificate.rows,
          .b = surface.band.b,
          .rho = surface.band.rho,
          .objective = trained.report.objective,
          .rounds = trained.report.history.size(),
          .support_vectors = trained.report.support_vectors,
          .status = trained.report.status};
}

CvReport cross_validate(const Problem& data, std::span<const TrainOptions> methods,
                        const FoldOptions& folds, unsigned threads, const CvHooks& hooks) {
  check(data, methods, folds);
  if (const auto counting = rows_with_weight(data)) {
    const ProblemPart part(data, *counting, *counting, methods.front().representation);
    return cross_validate(part.view(), methods, folds, threads, hooks);
  }
  std::vector<std::vector<std::size_t>> fold_of;  // per repetition
  for (std::size_t repeat = 0; repeat < folds.repeats; ++repeat) {
    fold_of.push_back(assign_folds(data.y, data.groups, folds, repeat));
  }
  const Layout layout{folds.repeats, folds.folds};
  CvReport report{.folds = folds, .results = {}};
  report.results.resize(methods.size() * folds.repeats * folds.folds);
  std::vector<bool> known(report.results.size(), false);
  for (const FoldResult& result : hooks.known) {
    if (result.method >= methods.size() || result.repeat >= folds.repeats ||
        result.fold >= folds.folds) {
      throw InputError("a known result belongs to another cross-validation");
    }
    const std::size_t place = layout.at(result.method, result.repeat, result.fold);
    report.results[place] = result;
    known[place] = true;
  }
  Reporter reporter(hooks, known.size(), static_cast<std::size_t>(std::ranges::count(known, true)));

  for (const std::vector<std::size_t>& family : families(methods)) {
    const auto missing = [&](std::size_t repeat, std::size_t fold, std::size_t method) {
      return !known[layout.at(method, repeat, fold)];
    };
    std::vector<std::pair<std::size_t, std::size_t>> tasks;  // repetition, fold
    for (std::size_t repeat = 0; repeat < folds.repeats; ++repeat) {
      for (std::size_t fold = 0; fold < folds.folds; ++fold) {
        if (std::ranges::any_of(family, [&](std::size_t m) { return missing(repeat, fold, m); })) {
          tasks.emplace_back(repeat, fold);
        }
      }
    }
    if (tasks.empty()) continue;

    const unsigned workers =
        threads > 0 ? threads : std::max(1U, std::thread::hardware_concurrency());
    TrainOptions common = methods[family.front()];
    common.band.folds = most_band_folds(methods);
    std::optional<KernelMatrix> shared;
    const std::size_t parts = workers * (common.band.folds > 0 ? std::size_t{2} : 1);
    if (can_share_matrix(data, common, data.size() - data.size() / folds.folds, parts)) {
      shared.emplace(make_kernel(common.representation.kernel, data.x), data.x, threads);
    }
    common.resources = {.cache_bytes = common.resources.cache_bytes / workers, .threads = 1};
    FirstFailure failure;
    parallel_blocks(tasks.size(), 1, threads, [&](std::size_t task, std::size_t) {
      const auto stop = [&] { return reporter.cancelled() || failure.before(task); };
      if (stop()) return;
      const auto [repeat, fold] = tasks[task];
      const Split split = split_at(fold_of[repeat], fold);
      try {
        const Representation& representation = common.representation;
        const ProblemPart training(data, split.training, split.training, representation);
        const ProblemPart test(data, split.test, split.training, representation);
        Trainer trainer(
            training.view(), common,
            {.shared = {shared ? &*shared : nullptr, split.training}, .for_measuring = true});
        for (const std::size_t m : family) {
          if (!missing(repeat, fold, m)) continue;
          TrainOptions method = methods[m];
          method.resources = common.resources;
          FoldResult result = train_and_measure(
              trainer, method, test.view(),
              [&](const TrainProgress&) { return reporter.goes_on() && !stop(); });
          if (stop()) return;
          result.method = m;
          result.repeat = repeat;
          result.fold = fold;
          report.results[layout.at(m, repeat, fold)] = result;
          reporter.found(result);
        }
      } catch (const InputError& error) {
        failure.note(task, failure_about(error, repeat, fold));
      } catch (...) {
        failure.note(task, std::current_exception());
      }
    });
    failure.rethrow();
    if (reporter.cancelled()) throw Cancelled("cross-validation was stopped");
  }
  return report;
}

std::span<const FoldResult> CvReport::of_method(std::size_t method) const {
  const std::size_t each = folds.repeats * folds.folds;
  return std::span(results).subspan(method * each, each);
}

CvSummary CvReport::summary(std::size_t method) const {
  const std::span<const FoldResult> all = of_method(method);
  std::vector<double> risk, weighted, rejection, accuracy, never_reject, area;
  for (std::size_t repeat = 0; repeat < folds.repeats; ++repeat) {
    const auto part = all.subspan(repeat * folds.folds, folds.folds);
    Metrics pooled{.costs = part.front().metrics.costs};
    Metrics without_band = pooled;
    std::optional<WeightedTable> of_weights;
    double areas = 0;
    for (const FoldResult& result : part) {
      pooled += result.metrics;
      if (result.weighted) {
        if (!of_weights) of_weights.emplace();
        *of_weights += *result.weighted;
      }
      without_band += result.without_band;
      areas += result.aurc;
    }
    risk.push_back(pooled.risk());
    if (of_weights) weighted.push_back(of_weights->risk(pooled.costs));
    rejection.push_back(pooled.rejection_rate());
    if (const auto found = pooled.accepted_accuracy()) accuracy.push_back(*found);
    never_reject.push_back(without_band.risk());
    area.push_back(areas / static_cast<double>(folds.folds));
  }
  CvSummary summary{.risk = mean_sd(risk),
                    .rejection_rate = mean_sd(rejection),
                    .never_reject = mean_sd(never_reject),
                    .aurc = mean_sd(area)};
  if (!weighted.empty()) summary.weighted_risk = mean_sd(weighted).mean;
  if (!accuracy.empty()) summary.accepted_accuracy = mean_sd(accuracy);
  for (const FoldResult& result : all) {
    summary.not_converged += result.status != TrainStatus::converged ? 1 : 0;
    summary.stationary += result.status == TrainStatus::stationary ? 1 : 0;
  }
  return summary;
}

}  // namespace rampart
