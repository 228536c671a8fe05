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

/// How well a convex problem is to be solved, and what that may cost.
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

/// What the numbers of a solver can prove.
struct Certainty {
  double finest_tolerance = 1e-5;  ///< below it the u that solve() maintains holds no information
  /// How far a kernel value may be off, in units of √k(x, x)·√k(z, z), while the matrix is positive
  /// semidefinite: see semidefinite_up_to(). Nothing: a dual value bounds nothing.
  std::optional<double> semidefinite;
};

/// What solves the convex problem of a round. The rounds (train/dca.hpp) know nothing else of it:
/// neither how u comes about nor in what precision.
///
///   solve           improves a feasible point whose u belongs to its δ, to within the tolerance;
///                   u follows
///   follow          u += K·change, for coefficients that the rounds change themselves
///   exact_product   Kv in double precision, from the kernel and not from what solve() has stored
///   product_is_cheap   whether exact_product costs no more than a pass over all rows
///   squared_norm    k(xₙ, xₙ)
///   certainty       what follows from all that
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
