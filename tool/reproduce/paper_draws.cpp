#include "reproduce/paper_draws.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rampart::tool {

std::optional<Place> place_of(const PublishedCell& cell, const std::vector<CvSummary>& draws,
                              const Measure& measure) {
  const auto printed = measure.published(cell);
  std::vector<double> values;
  for (const CvSummary& draw : draws) {
    if (const auto found = measure.measured(draw)) values.push_back(found->mean);
  }
  if (!printed || values.size() < fewest_draws) return std::nullopt;
  const auto count = [&](auto holds) {
    return static_cast<std::size_t>(std::ranges::count_if(values, holds));
  };
  Place place{.draws = values.size(),
              .below = count([&](double value) { return value < printed->mean; }),
              .above = count([&](double value) { return value > printed->mean; })};
  if (std::ranges::min(values) < std::ranges::max(values)) {
    const auto size = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / size;
    double squares = 0;
    for (const double value : values) squares += (value - mean) * (value - mean);
    place.in_sd = (printed->mean - mean) / std::sqrt(squares / (size - 1));
  }
  return place;
}

double chance_inside(std::size_t draws) {
  const auto n = static_cast<double>(draws);
  return (n - 1) / (n + 1);
}

Json draws_json(const std::vector<CvSummary>& draws) {
  Json json;
  for (const Measure& measure : measures) {
    Json values = Json::array();
    for (const CvSummary& draw : draws) {
      const auto found = measure.measured(draw);
      values.push_back(found ? Json(found->mean) : Json(nullptr));
    }
    json[measure.key] = std::move(values);
  }
  return json;
}

Json places_json(const PublishedCell& cell, const std::vector<CvSummary>& draws) {
  Json json;
  for (const Measure& measure : measures) {
    const auto place = place_of(cell, draws, measure);
    json[measure.key] = place ? Json{{"in_sd", to_json(place->in_sd)},
                                     {"below", place->below},
                                     {"above", place->above}}
                              : Json(nullptr);
  }
  return json;
}

}  // namespace rampart::tool
