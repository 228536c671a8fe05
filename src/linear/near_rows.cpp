#include "linear/near_rows.hpp"

#include <algorithm>
#include <cmath>

namespace rampart {
namespace {

/// Whether s may come to a kink of this hinge within the reach. Rows at rest are on one side of
/// their margin with a = t, and in the flat set just if they are below the floor.
bool is_near(double s, float centre, double margin, double floor, double reach) {
  const bool flat = std::signbit(centre);
  const float a = std::abs(centre);
  const bool at_rest = (a == 1 && s < margin - reach) || (a == 0 && s > margin + reach);
  return !at_rest || std::abs(s - floor) <= reach || flat != (s < floor);
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += a[j] * b[j];
  return sum;
}

}  // namespace

std::optional<NearRows> NearRows::gather(const BlockRows& rows, const HingeForm& loss,
                                         const Frame& frame, const Visit& visit,
                                         std::span<const float> centres, const PassSums& sums) {
  const std::size_t size = rows.y.size();
  const auto most = static_cast<std::size_t>(visit.most_near * static_cast<double>(size));
  const std::vector<double> u = block_scores(rows, frame, visit.w);
  NearRows near;
  for (std::size_t n = 0; n < size; ++n) {
    if (!rows.weights.empty() && rows.weights[n] == 0) continue;
    bool is = false;
    for (std::size_t r = 0; r < loss.hinges.size(); ++r) {
      const Hinge& hinge = loss.hinges[r];
      if ((rows.y[n] > 0 ? hinge.positive : hinge.negative) == 0) continue;
      const double s = rows.y[n] * (u[n] + visit.offsets[hinge.offset]);
      is |= is_near(s, centres[r * size + n], hinge.margin, loss.floor, visit.gather);
    }
    if (!is) continue;
    if (near.which_.size() == most) return std::nullopt;
    near.which_.push_back(n);
  }
  const std::vector<std::size_t> places = rows.x.places_of(near.which_);
  near.x_ = rows.x.at_places(places).to_rows();
  for (const std::size_t n : near.which_) {
    near.y_.push_back(rows.y[n]);
    near.scores_.push_back(u[n]);
    if (!rows.weights.empty()) near.weights_.push_back(rows.weights[n]);
  }
  for (std::size_t r = 0; r < loss.hinges.size(); ++r) {
    for (const std::size_t n : near.which_) near.centres_.push_back(centres[r * size + n]);
  }
  // What the others add up to is what is left of the sums of all.
  Visit same = visit;
  same.width_before = 0;
  same.new_flats = false;
  same.want = Visit::Want::gradient;
  const PassSums of_near = block_pass(near.rows(), loss, frame, same, near.centres_);
  PassSums& others = near.others_;
  others.rows = sums.rows - of_near.rows;
  others.dual = sums.dual - of_near.dual;
  others.flat = sums.flat - of_near.flat;
  others.support = sums.support - of_near.support;
  for (std::size_t o = 0; o < most_layers; ++o) others.pull[o] = sums.pull[o] - of_near.pull[o];
  others.gradient = sums.gradient;
  for (std::size_t j = 0; j < others.gradient.size(); ++j) {
    others.gradient[j] -= of_near.gradient[j];
  }
  return near;
}

double NearRows::loss_of_others(const Visit& visit) const {
  return others_.dual - dot(others_.gradient, visit.w) - dot(others_.pull, visit.offsets);
}

PassSums NearRows::run(const HingeForm& loss, const Frame& frame, const Visit& visit,
                       std::span<float> centres) {
  PassSums sums = block_pass(rows(), loss, frame, visit, centres_);
  if (visit.width_before > 0) {
    const std::size_t of_block = centres.size() / loss.hinges.size();
    for (std::size_t r = 0; r < loss.hinges.size(); ++r) {
      for (std::size_t k = 0; k < size(); ++k) {
        centres[r * of_block + which_[k]] = centres_[r * size() + k];
      }
    }
  }
  const double of_others = loss_of_others(visit);
  sums.near = sums.rows;
  sums.rows += others_.rows;
  sums.smooth += of_others;
  sums.convex += of_others;
  sums.loss += of_others;
  sums.dual += others_.dual;
  sums.flat += others_.flat;
  sums.support += others_.support;
  for (std::size_t o = 0; o < most_layers; ++o) sums.pull[o] += others_.pull[o];
  for (std::size_t j = 0; j < sums.gradient.size(); ++j) sums.gradient[j] += others_.gradient[j];
  return sums;
}

SearchSums NearRows::search(const HingeForm& loss, const Frame& frame, const Visit& visit,
                            std::span<const double> direction_w,
                            const std::array<double, most_layers>& direction_offsets,
                            std::span<const double> thetas) const {
  SearchSums sums =
      block_search(rows(), loss, frame, visit, direction_w, direction_offsets, thetas, centres_);
  const double value = loss_of_others(visit);
  const double slope = -(dot(others_.gradient, direction_w) + dot(others_.pull, direction_offsets));
  for (std::size_t k = 0; k < thetas.size(); ++k) {
    sums.smooth[k] += value + thetas[k] * slope;
    sums.loss[k] += value + thetas[k] * slope;
    sums.slope[k] += slope;
  }
  return sums;
}

std::vector<double> NearRows::product(const HingeForm& loss, const Frame& frame, const Visit& visit,
                                      std::span<const double> v) const {
  return block_product(rows(), loss, frame, visit, v, centres_);
}

PassSums VisitedBlock::run(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                           const Visit& visit, std::span<float> centres) {
  if (!needs_rows(visit)) return near_->run(loss, frame, visit, centres);
  PassSums sums = block_pass(rows, loss, frame, visit, centres);
  sums.near = sums.rows;
  if (visit.gather > 0) {
    near_ = NearRows::gather(rows, loss, frame, visit, centres, sums);
    if (near_) sums.near = static_cast<double>(near_->size());
  }
  return sums;
}

SearchSums VisitedBlock::search(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                                const Visit& visit, std::span<const double> direction_w,
                                const std::array<double, most_layers>& direction_offsets,
                                std::span<const double> thetas,
                                std::span<const float> centres) const {
  if (!needs_rows(visit)) {
    return near_->search(loss, frame, visit, direction_w, direction_offsets, thetas);
  }
  return block_search(rows, loss, frame, visit, direction_w, direction_offsets, thetas, centres);
}

std::vector<double> VisitedBlock::product(const BlockRows& rows, const HingeForm& loss,
                                          const Frame& frame, const Visit& visit,
                                          std::span<const double> v,
                                          std::span<const float> centres) const {
  if (!needs_rows(visit)) return near_->product(loss, frame, visit, v);
  return block_product(rows, loss, frame, visit, v, centres);
}

}  // namespace rampart
