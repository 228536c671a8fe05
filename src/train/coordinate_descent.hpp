#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "rampart/model.hpp"
#include "rampart/rows.hpp"
#include "rampart/train.hpp"
#include "solver/hinge_qp.hpp"
#include "train/ramp_sum.hpp"

namespace rampart {

/// How far coordinate descent is.
struct DescentProgress {
  std::size_t sweeps = 0;
  std::uint64_t visits = 0;  ///< of rows, in all sweeps
  double gap = 0;            ///< estimated (R − bound) / R, of the rows visited in the last sweep
  double objective = 0;      ///< estimated R
};

struct DescentOptions {
  double tolerance = 5e-5;       ///< certified relative gap (R − bound) / R of the result; > 0
  std::size_t max_sweeps = 500;  ///< larger: harder problems (large C, unscaled rows) are solved
  double max_seconds = std::numeric_limits<double>::infinity();
  std::function<bool(const DescentProgress&)> observe;  ///< after every sweep; false: stop
};

/// Where to start: a solution of a similar problem, for instance with another C or d.
struct DescentStart {
  std::vector<std::vector<double>> delta;  ///< [layer][row], moved into the boxes
  std::vector<double> offsets;
};

/// Θ with its certificate.
///
/// `weights`, `offsets` and u are Θ, the point of the lowest R that was met. `delta` is the dual
/// point that gives the bound: at the end its w differs from Θ's by what the gap allows.
struct DescentResult {
  std::vector<double> weights;  ///< w
  std::vector<double> offsets;  ///< in order: τ_up ≤ τ_low
  std::vector<double> u;        ///< w·x of every row
  FlatSets flat;                ///< of Θ
  double objective = std::numeric_limits<double>::infinity();
  double bound = -std::numeric_limits<double>::infinity();  ///< of the problem of these flat sets
  std::vector<std::vector<double>> delta;  ///< [layer][row], feasible for the same problem
  std::vector<Round> history;              ///< points whose R was lower than all before
  std::size_t sweeps = 0;
  std::uint64_t visits = 0;
  TrainStatus status = TrainStatus::converged;
};

/// Minimises R by coordinate descent in the dual of its convex problems, for sparse rows in memory
/// with many features. Needs w, some ninety bytes a row, and no kernel value.
///
/// A visit of a row computes its u = w·x, maximises the dual over the variables of this row (one a
/// layer) exactly, and adds the change to w. Its cost is the row's stored values. The sum
/// constraints Σ δ = 0, whose multipliers are the offsets, are kept by the method of multipliers:
///
///   offset o = centre + sum/stiffness,    sum = Σ δ over its layers;  centre ← offset after a
///   sweep
///
/// that is, the offset follows every visit, with a penalty sum²/(2·stiffness) in the dual.
///
/// Three stages share the sweeps:
///
///   1  no ramp is flat, until the gap of that convex problem is 15 percent;
///   2  a ramp becomes flat, or ceases to be, when its row is visited: the first rounds of the
///      paper's Algorithm 1, none of them solved to the end;
///   3  the rounds proper. The flat sets are those of the best Θ. When the estimated gap is small
///      enough, Θ is read off: if R fell, Θ is the best and its flat sets are the next. If not, the
///      problem is solved further, until its dual value certifies the best Θ.
///
/// A row without a change in its last visits rests for some sweeps; reading Θ visits every row and
/// wakes those that contribute to the gap. Rows are visited by blocks of neighbours, the blocks in
/// a random order: nearly the convergence of a random order of rows at the memory traffic of a
/// sequential one. The result depends on no number of threads, since one thread does it all.
[[nodiscard]] DescentResult coordinate_descent(const RampSum& sum, RowsView x,
                                               const DescentOptions& options = {},
                                               const DescentStart* start = nullptr);

}  // namespace rampart
