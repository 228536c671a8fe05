#pragma once

#include <cstddef>

#include "evaluate/principal.hpp"
#include "rampart/model.hpp"

namespace rampart {

/// Projects rows and models onto a plane in the space of scaled features. Column numbers are those
/// of the plane.
class PlaneView {
 public:
  explicit PlaneView(PrincipalPlane plane);

  [[nodiscard]] const PrincipalPlane& plane() const { return plane_; }

  struct Place {
    double x;
    double y;        ///< coordinates of the foot of the perpendicular, from the mean
    double outside;  ///< squared distance from the plane
  };
  [[nodiscard]] Place place_of(const Rows& rows, std::size_t n) const;

  /// f on the plane, as a model of three features: f of the point (x, y) is that of the row
  /// (1, x, y). `vectors` are the support vectors of the model, `weights` those of a linear one.
  ///
  /// For z = m + x·d₁ + y·d₂ and a support vector v, a kernel depends only on
  ///   v·z     = v·m + x·(v·d₁) + y·(v·d₂)                    linear, polynomial, sigmoid
  ///   |v − z|² = |v − foot|² + (x_v − x)² + (y_v − y)²        RBF
  /// so a node of the grid costs three products per vector, for any number of features.
  [[nodiscard]] Model flatten(const Model& model, const Rows& vectors,
                              std::span<const double> weights) const;

 private:
  PrincipalPlane plane_;
  double mean_x_;  // coordinates of the mean relative to the origin, for sparse rows
  double mean_y_;
  double mean_squared_;
};

}  // namespace rampart
