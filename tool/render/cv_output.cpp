#include "render/cv_output.hpp"

#include <fmt/format.h>

#include "evaluate/risk_coverage.hpp"
#include "rampart/model.hpp"
#include "render/output.hpp"

namespace rampart::tool {

std::string percent(const MeanSd& rate) {
  if (!rate.sd) return fmt::format("{:.1f} %", 100 * rate.mean);
  return fmt::format("{:.1f} ± {:.1f} %", 100 * rate.mean, 100 * *rate.sd);
}

std::string risk(const MeanSd& risk) {
  if (!risk.sd) return fmt::format("{:.4f}", risk.mean);
  return fmt::format("{:.4f} ± {:.4f}", risk.mean, *risk.sd);
}

std::string gamma_text(const KernelOptions& kernel) {
  if (!kernel.has_gamma()) return "";
  if (const double* gamma = std::get_if<double>(&kernel.gamma)) return number(*gamma);
  return kernel.gamma == Gamma(GammaRule::scale) ? "scale" : "auto";
}

std::string folds_csv(const CvReport& report, const std::vector<TrainOptions>& methods) {
  std::string text =
      "loss,reject_cost,cost_false_positive,cost_false_negative,cost_reject_positive,"
      "cost_reject_negative,C,gamma,mu,repeat,fold,training_rows,rows,risk,rejection_rate,"
      "accepted_accuracy,never_reject_risk,aurc,negative_negative,negative_reject,"
      "negative_positive,positive_negative,positive_reject,positive_positive,b,rho,objective,"
      "rounds,support_vectors,status\n";
  for (const FoldResult& result : report.results) {
    const TrainOptions& method = methods[result.method];
    const Metrics& metrics = result.metrics;
    const auto accuracy = metrics.accepted_accuracy();
    const Costs& costs = method.costs();
    text += fmt::format("{},{},{},{},{},{}", to_string(method.objective.loss),
                        costs.is_symmetric() ? number(costs.reject_positive) : "",
                        number(costs.false_positive), number(costs.false_negative),
                        number(costs.reject_positive), number(costs.reject_negative));
    text += fmt::format(
        ",{},{},{},{},{},{},{},{},{},{},{},{}", number(method.objective.C),
        gamma_text(method.representation.kernel),
        traits_of(method.objective.loss).has_ramps ? number(method.objective.mu) : "",
        result.repeat + 1, result.fold + 1, result.training_rows, metrics.rows(),
        number(metrics.risk()), number(metrics.rejection_rate()), accuracy ? number(*accuracy) : "",
        number(result.without_band.risk()), number(result.aurc));
    for (const auto& row : metrics.table) {
      for (const std::size_t count : row) text += fmt::format(",{}", count);
    }
    text += fmt::format(",{},{},{},{},{},{}\n", number(result.b), number(result.rho),
                        number(result.objective), result.rounds, result.support_vectors,
                        to_string(result.status));
  }
  return text;
}

}  // namespace rampart::tool
