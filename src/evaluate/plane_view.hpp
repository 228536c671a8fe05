#pragma once

#include <cstddef>

#include "evaluate/principal.hpp"
#include "rampart/model.hpp"

namespace rampart {

/// What lies where, seen from a plane in the space of scaled features. All numbers of features are
/// those of the plane.
class PlaneView {
 public:
  explicit PlaneView(PrincipalPlane plane);

  [[nodiscard]] const PrincipalPlane& plane() const { return plane_; }

  struct Place {
    double x;
    double y;        ///< of the foot of the perpendicular, from the mean along the directions
    double outside;  ///< squared distance from the plane
  };
  [[nodiscard]] Place place_of(const Rows& rows, std::size_t n) const;

  /// f on the plane, as a model of three features: f of the point (x, y) is that of the row
  /// (1, x, y). `vectors` are the support vectors of the model, `weights` those of a linear one.
  ///
  /// With z = m + x·d₁ + y·d₂ a kernel sees of a support vector v no more than
  ///   v·z     = v·m + x·(v·d₁) + y·(v·d₂)                    linear, polynomial, sigmoid
  ///   |v − z|² = |v − foot|² + (x_v − x)² + (y_v − y)²        RBF
  /// so that a node of a grid costs three products a vector, however many features there are.
  [[nodiscard]] Model flatten(const Model& model, const Rows& vectors,
                              std::span<const double> weights) const;

 private:
  PrincipalPlane plane_;
  double mean_x_;  // of the mean, from zero: what sparse rows do not store is 0
  double mean_y_;
  double mean_squared_;
};

}  // namespace rampart
