#include "train/relations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Dense>

#include "data/visit_columns.hpp"
#include "rampart/familiar.hpp"

namespace rampart {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr std::size_t most_columns = 128;
constexpr auto most_relations = static_cast<Index>(Familiar::most_relations);
constexpr double no_variance = 1e-4;      // of standardised columns, which have 1
constexpr double no_weight = 1e-9;        // of a vector of length 1
constexpr double fine_rounding = 1e-3;    // of standardised columns: numbers as people print them
constexpr double coarse_rounding = 1e-6;  // of the values: numbers stored as float

/// The rows that miss nothing, one a row, in these columns.
MatrixXd complete_rows(RowsView sample, std::span<const std::uint32_t> columns) {
  const auto width = static_cast<Index>(columns.size());
  MatrixXd rows(static_cast<Index>(sample.size()), width);
  Index count = 0;
  for (std::size_t n = 0; n < sample.size(); ++n) {
    visit_columns(sample, n, columns,
                  [&](std::size_t k, double value) { rows(count, static_cast<Index>(k)) = value; });
    if (rows.row(count).allFinite()) ++count;
  }
  return rows.topRows(count);
}

}  // namespace

double LinearRelation::sum(RowsView x, std::size_t n) const {
  double total = 0;
  visit_columns(x, n, columns, [&](std::size_t k, double value) { total += weights[k] * value; });
  constexpr double largest = std::numeric_limits<double>::max();
  return std::clamp(total, -largest, largest);
}

std::vector<LinearRelation> relations_in(RowsView sample, std::span<const std::uint32_t> columns) {
  const std::size_t needed = 2 * columns.size() + 2;
  if (columns.size() < 2 || columns.size() > most_columns || sample.size() < needed) return {};
  const MatrixXd rows = complete_rows(sample, columns);
  if (static_cast<std::size_t>(rows.rows()) < needed) return {};

  MatrixXd standard = rows.rowwise() - rows.colwise().mean();
  const Eigen::RowVectorXd deviation =
      (standard.colwise().squaredNorm() / static_cast<double>(rows.rows())).cwiseSqrt();
  if (!deviation.allFinite() || !(deviation.minCoeff() > 0)) return {};
  standard.array().rowwise() /= deviation.array();
  const MatrixXd correlation = standard.transpose() * standard / static_cast<double>(rows.rows());
  if (!correlation.allFinite()) return {};
  const Eigen::SelfAdjointEigenSolver<MatrixXd> directions(correlation);
  if (directions.info() != Eigen::Success) return {};

  std::vector<LinearRelation> relations;
  for (Index r = 0; r < std::min(most_relations, correlation.rows()); ++r) {
    if (!(directions.eigenvalues()(r) < no_variance)) break;
    LinearRelation relation;
    double size = 0;
    for (Index k = 0; k < correlation.rows(); ++k) {
      const double part = directions.eigenvectors()(k, r);
      if (std::abs(part) < no_weight) continue;
      relation.columns.push_back(columns[static_cast<std::size_t>(k)]);
      relation.weights.push_back(part / deviation(k));
      size += std::abs(relation.weights.back()) * rows.col(k).cwiseAbs().maxCoeff();
    }
    relation.rounding = std::max(fine_rounding, coarse_rounding * size);
    if (std::isfinite(relation.rounding)) relations.push_back(std::move(relation));
  }
  return relations;
}

}  // namespace rampart
