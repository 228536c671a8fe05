#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "rampart/options.hpp"

namespace rampart::tool {

/// At which reject cost answering pays.
///
/// A rule that answers a share a of the rows, w of all wrongly, costs w + d(1 − a). Rejecting
/// everything costs d. So the rule pays where d > w/a, the share of its answers that are wrong.

/// The least w/a of what a cross-validation measured: each method with its band and without, and
/// the rule that always gives one answer, which is wrong in `one_class` of the rows. Only rules
/// that answer this share of the rows count. Nothing if costs are not symmetric.
[[nodiscard]] std::optional<double> least_share_of_wrong_answers(
    std::span<const TrainOptions> methods, std::span<const CvSummary> summaries, double one_class,
    double least_answered = 0);

/// Which of these reject costs are no more than the least share: nothing that was measured is
/// better than rejecting everything there.
[[nodiscard]] std::vector<double> unsupported_costs(std::span<const TrainOptions> methods,
                                                    double least_share);

/// "at d = 0.05 these data do not support answering: …; answering pays above d = 0.123 at the
/// latest"
[[nodiscard]] std::string no_support_in_words(const std::vector<double>& costs, double least_share);

/// A share with three decimals, none less than it is: what holds above it holds above these.
[[nodiscard]] std::string rounded_up(double share);

}  // namespace rampart::tool
