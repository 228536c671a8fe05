#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "faces/results_json.hpp"
#include "reproduce/experiments.hpp"

namespace rampart::tool {

/// A generated set is drawn again and again. What the paper printed of its own draw has a place
/// among those: inside their spread if it is one draw more, outside if something else differs.

/// One of the three numbers of a cell: measured, and as the paper prints it.
struct Measure {
  const char* key;
  std::optional<MeanSd> (*measured)(const CvSummary&);
  std::optional<MeanSd> (*published)(const PublishedCell&);
};
inline constexpr std::array<Measure, 3> measures = {{
    {"risk", [](const CvSummary& found) { return std::optional(found.risk); },
     [](const PublishedCell& cell) { return std::optional(cell.risk); }},
    {"rejection_rate", [](const CvSummary& found) { return std::optional(found.rejection_rate); },
     [](const PublishedCell& cell) { return std::optional(cell.rejection_rate); }},
    {"accepted_accuracy", [](const CvSummary& found) { return found.accepted_accuracy; },
     [](const PublishedCell& cell) { return cell.accepted_accuracy; }},
}};

struct Place {
  std::size_t draws = 0;        ///< that have such a number at all
  std::size_t below = 0;        ///< draws below the published value
  std::size_t above = 0;        ///< draws above it
  std::optional<double> in_sd;  ///< from their mean; nothing if they do not differ

  [[nodiscard]] bool inside() const { return below < draws && above < draws; }
};

inline constexpr std::size_t fewest_draws = 5;  ///< needed to judge a spread

/// Nothing where the paper prints nothing, or there are too few draws to lie among.
[[nodiscard]] std::optional<Place> place_of(const PublishedCell& cell,
                                            const std::vector<CvSummary>& draws,
                                            const Measure& measure);

/// Of n draws and one more, what share of the time the last is inside the range of the others.
[[nodiscard]] double chance_inside(std::size_t draws);

/// {"risk": [a number a draw], …}; null where a draw answered nothing.
[[nodiscard]] Json draws_json(const std::vector<CvSummary>& draws);

/// {"risk": {"in_sd", "below", "above"} or null, …}
[[nodiscard]] Json places_json(const PublishedCell& cell, const std::vector<CvSummary>& draws);

}  // namespace rampart::tool
