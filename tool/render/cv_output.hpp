#pragma once

#include <string>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "rampart/options.hpp"

namespace rampart::tool {

/// Rates as text: "35.2 ± 0.9 %", "0.0248 ± 0.0012".
[[nodiscard]] std::string percent(const MeanSd& rate);
[[nodiscard]] std::string risk(const MeanSd& risk);

/// A number, scale or auto; empty for kernels without.
[[nodiscard]] std::string gamma_text(const KernelOptions& kernel);

/// Every fold of every method: one line each, with a header.
[[nodiscard]] std::string folds_csv(const CvReport& report,
                                    const std::vector<TrainOptions>& methods);

}  // namespace rampart::tool
