#include "render/support.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "render/output.hpp"

namespace rampart::tool {

std::optional<double> least_share_of_wrong_answers(std::span<const TrainOptions> methods,
                                                   std::span<const CvSummary> summaries,
                                                   double one_class, double least_answered) {
  double least = one_class;
  for (std::size_t k = 0; k < methods.size(); ++k) {
    const Costs& costs = methods[k].costs();
    if (!costs.is_symmetric()) return std::nullopt;
    const CvSummary& found = summaries[k];
    least = std::min(least, found.never_reject.mean);
    const double rejected = found.rejection_rate.mean;
    if (rejected >= 1 || 1 - rejected < least_answered) continue;
    const double wrong = found.risk.mean - costs.reject_positive * rejected;
    least = std::min(least, std::max(wrong, 0.0) / (1 - rejected));
  }
  return least;
}

std::vector<double> unsupported_costs(std::span<const TrainOptions> methods, double least_share) {
  constexpr double rounding = 1e-12;  // of the means
  std::vector<double> costs;
  for (const TrainOptions& method : methods) {
    const double d = method.costs().reject_positive;
    if (d <= least_share + rounding && std::ranges::find(costs, d) == costs.end()) {
      costs.push_back(d);
    }
  }
  return costs;
}

std::string no_support_in_words(const std::vector<double>& costs, double least_share) {
  std::vector<std::string> texts;
  for (const double d : costs) texts.push_back(number(d));
  std::string text =
      fmt::format("at d = {} these data do not support answering: rejecting every row costs least",
                  fmt::join(texts, ", "));
  if (least_share >= 0.5) return text + "; the best answers here are no better than chance";
  // Training at a d in between may find better answers than those measured here.
  return text +
         fmt::format(
             "; the best answers here are wrong in {}, so answering pays above d = {} at the "
             "latest",
             percent(least_share), rounded_up(least_share));
}

std::string rounded_up(double share) {
  const double thousandths = std::ceil(share * 1000 - 1e-9);
  return number(thousandths / 1000);
}

}  // namespace rampart::tool
