#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "solver/hinge_qp.hpp"

namespace rampart {

enum class SolveStatus { solved, step_limit, cancelled };

/// Tolerance and limits of solving a convex problem.
struct SolveOptions {
  double tolerance = 1e-3;  ///< largest KKT violation left, in units of f(x)
  std::uint64_t max_steps = std::numeric_limits<std::uint64_t>::max();
  std::function<bool(std::uint64_t steps, double violation)> observe;  ///< false: stop
};

struct SolveResult {
  std::uint64_t steps = 0;  ///< in the solver's own unit
  double violation = 0;
  SolveStatus status = SolveStatus::solved;
};

/// The numerical accuracy of a solver.
struct Certainty {
  double finest_tolerance = 1e-5;  ///< smallest KKT violation that solve() can resolve
  /// Error bound of a kernel value, in units of √k(x, x)·√k(z, z), within which the matrix is
  /// positive semidefinite: see semidefinite_up_to(). Nothing: dual values are no lower bounds.
  std::optional<double> semidefinite;
};

/// Solver of the convex problem of a round. The rounds (train/dca.hpp) use only these functions and
/// do not depend on how, or in what precision, u is computed.
///
///   solve           improves a feasible point with u = Kv to the tolerance, and keeps u = Kv
///   follow          u += K·change, for coefficients that the rounds change themselves
///   exact_product   Kv in double precision, from the kernel, not from rows that solve() stores
///   product_is_cheap   whether exact_product costs no more than a pass over all rows
///   squared_norm    k(xₙ, xₙ)
///   certainty       accuracy of solve() and of the kernel values
template <class S>
concept RoundSolver = requires(S solver, const S constant, const HingeQp& qp, DualPoint& point,
                               const SolveOptions& options, std::span<const std::uint32_t> rows,
                               std::span<const double> values, std::span<double> u, std::size_t n) {
  { solver.solve(qp, point, options) } -> std::same_as<SolveResult>;
  solver.follow(rows, values, u);
  { solver.exact_product(values) } -> std::same_as<std::vector<double>>;
  { constant.product_is_cheap() } -> std::same_as<bool>;
  { constant.squared_norm(n) } -> std::convertible_to<double>;
  { constant.certainty() } -> std::convertible_to<Certainty>;
};

}  // namespace rampart
