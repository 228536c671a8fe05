#include "linear/row_sample.hpp"

#include "data/fetched_rows.hpp"

namespace rampart {

std::vector<std::size_t> places_apart(RowsView x, std::size_t step) {
  std::vector<std::size_t> which;
  for (std::size_t n = 0; n < x.size(); n += step) which.push_back(n);
  return x.places_of(which);
}

RowSample::RowSample(const BlockRows& rows, const HingeForm& loss, std::size_t step,
                     const Rows* given)
    : loss_(loss) {
  for (std::size_t n = 0; n < rows.y.size(); n += step) {
    y_.push_back(rows.y[n]);
    if (!rows.weights.empty()) weights_.push_back(rows.weights[n]);
  }
  if (given != nullptr && rows.map == nullptr) {
    x_ = *given;
  } else {
    std::vector<std::size_t> places;
    if (given == nullptr) places = places_apart(rows.x, step);
    const FetchedRows some(given != nullptr ? RowsView(*given) : rows.x.at_places(places));
    x_ = own_ = MappedBlock(rows.map, some.view()).view().to_rows();
  }
  const double times = static_cast<double>(rows.y.size()) / static_cast<double>(y_.size());
  for (Hinge& hinge : loss_.hinges) {
    hinge.positive *= times;
    hinge.negative *= times;
  }
}

bool RowSample::has_both_classes() const {
  bool counts[2] = {false, false};
  for (std::size_t n = 0; n < y_.size(); ++n) {
    counts[y_[n] > 0 ? 1 : 0] |= weights_.empty() || weights_[n] > 0;
  }
  return counts[0] && counts[1];
}

}  // namespace rampart
