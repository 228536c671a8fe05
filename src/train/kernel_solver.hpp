#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "kernel/kernel_matrix.hpp"
#include "kernel/row_cache.hpp"
#include "rampart/options.hpp"
#include "rampart/train.hpp"
#include "solver/round_solver.hpp"
#include "solver/smo.hpp"
#include "train/training_rows.hpp"

namespace rampart {

struct KernelSolverOptions {
  unsigned threads = 1;
  SmoSizes sizes;
  std::optional<double> finest_tolerance;  ///< nothing: that of the rows' precision
};

/// Solves rounds by SMO on rows of the kernel matrix, which are float or double.
///
/// Exact products add in one order, whatever the number of threads: the order of the rows for
/// double rows, that of kernel_product() for float rows.
template <KernelRows Matrix>
class KernelSolver {
 public:
  /// `rows` must outlive the solver. Throws InputError if kernel values could overflow.
  KernelSolver(const TrainingRows& rows, Matrix matrix, KernelSolverOptions options)
      : rows_(rows), matrix_(std::move(matrix)), options_(options) {
    require_size(rows_.x.size());
  }

  SolveResult solve(const HingeQp& qp, DualPoint& point, const SolveOptions& options) {
    const SolveResult result = SmoSolver(qp, matrix_, options, options_.sizes).solve(point);
    steps_ += result.steps;
    return result;
  }

  void follow(std::span<const std::uint32_t> rows, std::span<const double> change,
              std::span<double> u) {
    matrix_.add_rows(rows, change, u);
  }

  [[nodiscard]] std::vector<double> exact_product(std::span<const double> v);
  [[nodiscard]] bool product_is_cheap() const { return is_linear(); }
  [[nodiscard]] double squared_norm(std::size_t n) const { return matrix_.diagonal(n); }
  [[nodiscard]] Certainty certainty() const {
    return {.finest_tolerance = options_.finest_tolerance.value_or(single ? 1e-5 : 1e-9),
            .semidefinite = rows_.semidefinite};
  }

  /// Counts of the work since construction.
  [[nodiscard]] SmoReport report() const { return {steps_, matrix_.rows_computed()}; }

 private:
  static constexpr bool single = std::is_same_v<typename Matrix::Value, float>;

  [[nodiscard]] bool is_linear() const {
    return std::holds_alternative<LinearKernel>(rows_.kernel);
  }
  void require_size(std::size_t rows) const;

  const TrainingRows& rows_;
  Matrix matrix_;
  KernelSolverOptions options_;
  std::uint64_t steps_ = 0;
};

extern template class KernelSolver<RowCache<float>>;
extern template class KernelSolver<RowCache<double>>;
extern template class KernelSolver<KernelSubmatrix>;

static_assert(RoundSolver<KernelSolver<RowCache<float>>>);
static_assert(RoundSolver<KernelSolver<RowCache<double>>>);
static_assert(RoundSolver<KernelSolver<KernelSubmatrix>>);

/// Every solver that trainings use.
using AnySolver = std::variant<KernelSolver<RowCache<float>>, KernelSolver<RowCache<double>>,
                               KernelSolver<KernelSubmatrix>>;

/// A kernel matrix that several trainings read, and which of its rows belong to this one.
struct SharedMatrix {
  const KernelMatrix* whole = nullptr;  ///< null: there is none
  std::vector<std::size_t> which;
};

/// Makes the solver for these rows. No other function chooses precision or storage.
[[nodiscard]] AnySolver choose_solver(const TrainingRows& rows, const TrainOptions& options,
                                      const SharedMatrix& shared);

/// Whether trainings on `training_rows` rows of this data should share one kernel matrix. The
/// kernel must not depend on the training rows, the matrix and `parts` submatrices must fit the
/// cache budget, and the trainings must use double precision.
[[nodiscard]] bool can_share_matrix(const Problem& data, const TrainOptions& options,
                                    std::size_t training_rows, std::size_t parts);

}  // namespace rampart
