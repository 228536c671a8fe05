#pragma once

#include <cstddef>
#include <vector>

#include "rampart/options.hpp"

namespace rampart {

/// The values to try. An empty list stands for the value of the base method.
struct TuneGrid {
  std::vector<double> C;
  std::vector<Gamma> gamma;           ///< kernels with a γ
  std::vector<double> mu;             ///< double ramp
  std::vector<double> training_cost;  ///< d′: training uses d′, decisions cost d
  bool widens_C = false;              ///< beyond the end at which the best point lies, once
  bool widens_gamma = false;          ///< both: values that rise by one factor, at least two

  /// log₂C = −3, −1, …, 9 and log₂γ = −9, −7, …, 3 (the latter for kernels that have a γ), which
  /// may be widened by three values at each end.
  [[nodiscard]] static TuneGrid standard(const KernelOptions& kernel);
};

/// Every combination of the grid, C varying fastest, so that neighbours share a kernel. Throws
/// OptionError if a value is out of range or the grid does not fit the method.
[[nodiscard]] std::vector<TrainOptions> grid_points(const TrainOptions& base, const TuneGrid& grid);

/// Which ends of a grid: −1 the lower, 1 the upper, 0 neither.
struct GridEnds {
  int C = 0;
  int gamma = 0;

  [[nodiscard]] bool any() const { return C != 0 || gamma != 0; }
  friend bool operator==(const GridEnds&, const GridEnds&) = default;
};

/// The points of one or several searches, which differ in their base method: one for each reject
/// cost. A search first tries the grid; if its best point lies at an end that may be widened, it
/// also tries every point of the grid that is longer there. A point has one number for all of that,
/// so that a journal can name it.
class TuneSpace {
 public:
  /// One search over given points, none of which is at an end.
  TuneSpace(std::vector<TrainOptions> points);  // NOLINT: a list of points is such a space

  /// Throws OptionError as grid_points() does.
  TuneSpace(const std::vector<TrainOptions>& bases, const TuneGrid& grid);

  /// Every point that may be tried, search by search.
  [[nodiscard]] const std::vector<TrainOptions>& points() const { return points_; }
  [[nodiscard]] std::size_t searches() const { return searches_; }

  /// The numbers of the points that a search tries: of the grid, longer at these ends. Their order
  /// is that of grid_points().
  [[nodiscard]] std::vector<std::size_t> tried(std::size_t search, GridEnds longer = {}) const;

  /// The ends at which a point of the grid lies, and which may be widened.
  [[nodiscard]] GridEnds ends_at(std::size_t point) const { return places_[point].at_end; }

 private:
  struct Place {
    std::size_t search = 0;
    GridEnds beyond;  ///< the ends of the grid beyond which it lies
    GridEnds at_end;
  };

  std::vector<TrainOptions> points_;
  std::vector<Place> places_;
  std::size_t searches_ = 1;
};

}  // namespace rampart
