#include "linear/linear_solver.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <utility>

#include "data/fetched_rows.hpp"
#include "data/output_file.hpp"
#include "linear/checkpoint.hpp"
#include "linear/row_sample.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

constexpr double dense_share = 0.25;  // of stored values: rows that store more are used as dense

bool is_used_dense(RowsView x, std::size_t stored) {
  return x.is_dense() || static_cast<double>(stored) > dense_share * static_cast<double>(x.size()) *
                                                           static_cast<double>(x.columns());
}

/// The mean and the reciprocal standard deviation of every column.
Frame frame_of(RowsView x) {
  const std::size_t columns = x.columns();
  std::vector<double> first(columns, 0.0);  // differences from it have no common part to cancel
  x.for_each(0, [&](std::size_t j, double value) { first[j] = value; });
  std::vector<double> sum(columns, 0.0);
  std::vector<double> squares(columns, 0.0);
  std::vector<double> stored(columns, 0.0);
  double rows = 0;
  for (std::size_t n = 0; n < x.size(); ++n) {
    ++rows;
    x.for_each(n, [&](std::size_t j, double value) {
      const double apart = value - first[j];
      sum[j] += apart;
      squares[j] += apart * apart;
      stored[j] += 1;
    });
  }
  Frame frame{std::vector<double>(columns), std::vector<double>(columns)};
  for (std::size_t j = 0; j < columns; ++j) {
    const double zeros = rows - stored[j];  // that are not stored
    sum[j] -= zeros * first[j];
    squares[j] += zeros * first[j] * first[j];
    if (!std::isfinite(squares[j])) {
      throw InputError("training overflowed; choose a smaller C or scale the features",
                       Setting::scaling);
    }
    const double mean = sum[j] / rows;
    const double variance = squares[j] / rows - mean * mean;
    frame.centre[j] = std::isfinite(mean) ? first[j] + mean : 0;
    const double factor = 1 / std::sqrt(variance);
    const double lambda = factor * factor;
    const bool usable = variance > 1e-20 * squares[j] / rows && std::isfinite(lambda) && lambda > 0;
    frame.factor[j] = usable ? factor : 1;
  }
  return frame;
}

/// The same of some of the rows: the frame need not be exact.
Frame frame_of_some(const BlockRows& rows) {
  constexpr std::size_t enough = 4096;
  const std::size_t step = std::max<std::size_t>(1, rows.x.size() / enough);
  const std::vector<std::size_t> places = places_apart(rows.x, step);
  const FetchedRows some(rows.x.at_places(places));
  return frame_of(MappedBlock(rows.map, some.view()).view());
}

/// The frame beside the features in whose terms w is wanted: z = (x − offset)·factor, x itself
/// without a scaling. A feature of factor 0 gets the weight 0.
struct Units {
  std::vector<double> offset, factor;

  Units(const Frame& frame, const Scaling* scaling)
      : offset(frame.factor.size(), 0.0), factor(frame.factor.size(), 1.0) {
    if (scaling == nullptr || scaling->factor.empty()) return;
    offset = scaling->offset;
    factor = scaling->factor;
  }

  /// λ of every column: ½‖w‖² in the units that are wanted is ½Σ λ w² in the frame.
  [[nodiscard]] std::vector<double> lambda(const Frame& frame, std::size_t columns) const {
    std::vector<double> lambda(columns, 1.0);
    for (std::size_t j = 0; j < factor.size(); ++j) {
      if (factor[j] == 0) continue;
      const double times = frame.factor[j] / factor[j];
      lambda[j] = times * times;
    }
    return lambda;
  }

  [[nodiscard]] LinearPoint into_frame(LinearPoint point, const Frame& frame) const {
    for (std::size_t j = 0; j < factor.size(); ++j) {
      const double pull = point.w[j] * factor[j];
      for (double& tau : point.offsets) tau += pull * (frame.centre[j] - offset[j]);
      point.w[j] = factor[j] == 0 ? 0 : pull / frame.factor[j];
    }
    return point;
  }
  [[nodiscard]] LinearPoint out_of_frame(LinearPoint point, const Frame& frame) const {
    for (std::size_t j = 0; j < factor.size(); ++j) {
      const double pull = point.w[j] * frame.factor[j];
      for (double& tau : point.offsets) tau -= pull * (frame.centre[j] - offset[j]);
      point.w[j] = factor[j] == 0 ? 0 : pull / factor[j];
    }
    return point;
  }
};

/// Rows with features of factor 0 left out: they are 0 in the frame.
void leave_out_constant(const Units& units, Frame& frame) {
  for (std::size_t j = 0; j < units.factor.size(); ++j) {
    if (units.factor[j] == 0) frame.factor[j] = 0;
  }
}

double largest_margin(const HingeForm& loss) {
  double largest = 0;
  for (const Hinge& hinge : loss.hinges) largest = std::max(largest, hinge.margin);
  return largest;
}

double sum_of_caps(const BlockRows& rows, const HingeForm& loss) {
  double total = 0;
  for (const Hinge& hinge : loss.hinges) {
    for (std::size_t n = 0; n < rows.y.size(); ++n) {
      const double cap = rows.y[n] > 0 ? hinge.positive : hinge.negative;
      total += rows.weights.empty() ? cap : cap * rows.weights[n];
    }
  }
  return total;
}

/// The share of the rows that may be copied as near a kink: a third, but of many rows no more than
/// 256 MiB or a fortieth of them, since rows on disk may be many times the memory.
double most_near(double stored) {
  constexpr double most_bytes = 256 << 20;
  constexpr double bytes_a_value = 12;  // of a sparse row
  const double bytes = std::max(1.0, stored * bytes_a_value);
  return std::min(0.35, std::max(most_bytes / bytes, 1.0 / 40));
}

/// A start for all rows from training on a sample; nothing if that did not help.
std::optional<LinearPoint> from_sample(const BlockRows& rows, const HingeForm& loss,
                                       const Frame& frame, const std::vector<double>& lambda,
                                       std::size_t step, const Rows* given,
                                       const LinearOptions& options, unsigned threads) {
  constexpr std::uint64_t most_passes = 200;
  // The rounds of a few rows may lead to a minimum of a much higher R than those of all rows; but
  // where there are very many rows, these take too long.
  constexpr std::size_t very_many = 1'000'000;
  constexpr std::size_t first_rounds = 2;
  const RowSample sample(rows, loss, step, given);
  if (!sample.has_both_classes()) return std::nullopt;
  const BlockRows some = sample.rows();
  const double stored = static_cast<double>(some.x.stored_values());
  LocalPasses passes(some, sample.loss(), frame,
                     rows_per_block(stored / static_cast<double>(some.y.size())), threads);
  LinearOptions rough;
  rough.gap = std::max(1e-3, options.gap);
  rough.max_passes = most_passes;
  if (rows.y.size() < very_many) rough.max_rounds = first_rounds;
  rough.caps = options.caps;
  rough.most_near = most_near(stored);
  if (options.observe) {
    rough.observe = [&](const LinearProgress& at) {
      return options.observe({1, at.passes, std::numeric_limits<double>::infinity(), at.gap});
    };
  }
  const LinearResult found =
      Multipliers(passes, lambda, loss.offsets, largest_margin(loss), std::move(rough))
          .minimise({std::vector<double>(rows.columns(), 0.0), {}});
  const bool helps =
      found.status == LinearStatus::converged || found.status == LinearStatus::round_limit;
  return helps ? std::optional(found.point) : std::nullopt;
}

}  // namespace

std::size_t sample_step(std::size_t rows, std::size_t columns) {
  constexpr std::size_t least = 20'000;
  constexpr std::size_t most = 1'000'000;
  constexpr std::size_t most_values = 1 << 24;  // 128 MiB, unless columns are many
  constexpr std::size_t rows_per_column = 100;
  const std::size_t fitting = std::clamp(
      std::max(most_values / std::max<std::size_t>(columns, 1), rows_per_column * columns), least,
      most);
  const std::size_t size = std::clamp(rows / 20, least, fitting);
  return rows >= 2 * size && size / rows_per_column >= columns ? rows / size : 0;
}

LinearResult train_linear_surface(const BlockRows& rows, const HingeForm& loss,
                                  const LinearStart& start, LinearOptions options, unsigned threads,
                                  const CheckpointFile& checkpoint, const LinearReading& reading) {
  const std::size_t columns = rows.columns();
  const std::size_t stored = rows.map == nullptr ? rows.x.stored_values() : rows.y.size() * columns;
  const bool dense = rows.map != nullptr || is_used_dense(rows.x, stored);
  Frame frame = dense ? frame_of_some(rows) : Frame{};
  const Units units(frame, reading.scaling);
  const std::vector<double> lambda = units.lambda(frame, columns);
  leave_out_constant(units, frame);
  const double per_row = static_cast<double>(stored) / static_cast<double>(rows.y.size());
  options.caps = sum_of_caps(rows, loss);
  options.most_near = most_near(static_cast<double>(stored));
  options.exact_rounds = options.exact_rounds || rows.y.size() <= few_rows || !start.scores.empty();

  std::optional<Checkpoint> kept;
  std::uint64_t problem = 0;
  if (!checkpoint.path.empty()) {
    { const OutputFile writable(checkpoint.path); }  // fails now rather than after a minute
    problem = problem_number(rows, loss, lambda, options, start.scores, start.offsets);
    kept = read_checkpoint(checkpoint.path, problem, columns, rows.y.size() * loss.hinges.size());
  }

  LinearPoint from{std::vector<double>(columns, 0.0), {}};
  const bool from_scores = !start.scores.empty();
  if (!kept && !from_scores && start.point) {
    from = units.into_frame(*start.point, frame);
    options.started = true;
  } else if (const std::size_t step = sample_step(rows.y.size(), columns);
             !kept && !from_scores && step > 0) {
    if (auto found =
            from_sample(rows, loss, frame, lambda, step, reading.sample, options, threads)) {
      from = std::move(*found);
      options.started = true;
    }
  }

  // Behind the sample: each takes about a tenth of the memory of narrow rows.
  LocalPasses passes(rows, loss, frame, rows_per_block(per_row), threads);
  if (kept) {
    passes.set_centres(std::move(kept->centres));
  } else if (from_scores) {
    passes.set_flats(start.scores, start.offsets);
  }
  if (!checkpoint.path.empty()) {
    options.checkpoint =
        [&, problem, last = std::chrono::steady_clock::now()](const LinearState& state) mutable {
          const auto now = std::chrono::steady_clock::now();
          if (std::chrono::duration<double>(now - last).count() < checkpoint.seconds) return;
          last = now;
          try {
            write_checkpoint(checkpoint.path, problem, state, passes.centres());
          } catch (const OutputError&) {  // a full disk is no reason to lose the training
          }
        };
  }
  if (reading.last_pass) {
    options.certifying = [&](const LinearPoint& best) {
      passes.use_blocks_of_next_run(reading.last_pass(units.out_of_frame(best, frame)));
    };
  }
  Multipliers solver(passes, lambda, loss.offsets, largest_margin(loss), std::move(options));
  LinearResult result =
      kept ? solver.resume(std::move(kept->state)) : solver.minimise(std::move(from));
  if (!checkpoint.path.empty() && result.status != LinearStatus::cancelled) {
    std::filesystem::remove(checkpoint.path);
  }
  result.point = units.out_of_frame(std::move(result.point), frame);
  return result;
}

}  // namespace rampart
