#include "linear/newton_step.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace rampart {
namespace {

/// What is added to the curvature of an offset: next to nothing, unless it has none.
double support_of_offset(double curvature, double largest, double gradient, double room) {
  constexpr double next_to_nothing = 1e-9;
  constexpr double without_any = 1e-3;
  const double least = next_to_nothing * largest;
  return curvature > 0 ? least : least + without_any * (room + std::abs(gradient));
}

/// The largest curvature of the rows; without any, the largest λ of a column that is not constant.
/// In a frame all columns have similar curvatures, while λ may differ by many orders of magnitude.
double largest_of(std::span<const double> curvatures, std::span<const double> lambda,
                  std::span<const double> gradient) {
  double largest = std::ranges::max(curvatures);
  if (largest > 0) return largest;
  for (std::size_t j = 0; j < lambda.size(); ++j) {
    if (gradient[j] != 0) largest = std::max(largest, lambda[j]);
  }
  return largest > 0 ? largest : 1;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

}  // namespace

NewtonStep direct_step(std::span<const double> gradient, std::span<const double> lambda,
                       const PassSums& sums, double damping) {
  using Matrix = Eigen::MatrixXd;
  const auto columns = static_cast<Eigen::Index>(lambda.size());
  const auto size = static_cast<Eigen::Index>(gradient.size());
  const auto offsets = gradient.size() - lambda.size();
  const auto stride = static_cast<Eigen::Index>(curvature_stride(lambda.size(), offsets));
  // The upper triangle by rows is the lower triangle by columns, which is what Eigen reads.
  Matrix system = Eigen::Map<const Matrix, 0, Eigen::OuterStride<>>(
      sums.curvature.data(), size, size, Eigen::OuterStride<>(stride));
  const Eigen::VectorXd diagonal = system.diagonal();
  const double largest = largest_of({diagonal.data(), gradient.size()}, lambda, gradient);
  for (Eigen::Index j = 0; j < columns; ++j) system(j, j) += lambda[static_cast<std::size_t>(j)];
  for (Eigen::Index j = columns; j < size; ++j) {
    const auto o = static_cast<std::size_t>(j - columns);
    system(j, j) += support_of_offset(system(j, j), largest, sums.pull[o], sums.room[o]);
  }
  system.diagonal().array() += damping * largest;
  const Eigen::Map<const Eigen::VectorXd> g(gradient.data(), size);
  Eigen::VectorXd step;
  // Rounding may make the matrix indefinite: then more is added to the diagonal.
  for (double ridge = 1e-13;; ridge *= 1000) {
    system.diagonal() *= 1 + ridge;
    const Eigen::LLT<Matrix, Eigen::Lower> factors(system);
    step = -factors.solve(g);
    if (factors.info() == Eigen::Success && step.allFinite()) break;
    if (ridge > 1) {  // numbers too large to add up: no step
      step.setZero();
      break;
    }
  }
  return {std::vector<double>(step.begin(), step.end()), -g.dot(step)};
}

NewtonStep iterative_step(
    std::span<const double> gradient, std::span<const double> lambda, const PassSums& sums,
    double damping, const std::function<std::vector<double>(std::span<const double>)>& product) {
  constexpr double accuracy = 0.1;
  constexpr int most_products = 60;
  const std::size_t size = gradient.size();
  std::vector<double> own(size, 0.0);  // the part of the diagonal that `product` does not have
  std::copy(lambda.begin(), lambda.end(), own.begin());
  const double largest = largest_of(sums.diagonal, lambda, gradient);
  for (std::size_t j = lambda.size(); j < size; ++j) {
    const std::size_t o = j - lambda.size();
    own[j] = support_of_offset(sums.diagonal[j], largest, sums.pull[o], sums.room[o]);
  }
  for (double& value : own) value += damping * largest;
  std::vector<double> scale(size);  // of the preconditioner
  for (std::size_t j = 0; j < size; ++j) scale[j] = 1 / (own[j] + sums.diagonal[j]);

  std::vector<double> step(size, 0.0);
  std::vector<double> residual(size);
  std::vector<double> scaled(size);
  for (std::size_t j = 0; j < size; ++j) {
    residual[j] = -gradient[j];
    scaled[j] = scale[j] * residual[j];
  }
  std::vector<double> direction = scaled;
  double now = dot(residual, scaled);
  const double enough = accuracy * accuracy * now;
  for (int k = 0; k < most_products && now > enough; ++k) {
    std::vector<double> image = product(direction);
    for (std::size_t j = 0; j < size; ++j) image[j] += own[j] * direction[j];
    const double length = now / dot(direction, image);
    for (std::size_t j = 0; j < size; ++j) {
      step[j] += length * direction[j];
      residual[j] -= length * image[j];
      scaled[j] = scale[j] * residual[j];
    }
    const double next = dot(residual, scaled);
    for (std::size_t j = 0; j < size; ++j) direction[j] = scaled[j] + next / now * direction[j];
    now = next;
  }
  return {step, -dot(gradient, step)};
}

}  // namespace rampart
