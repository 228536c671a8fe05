#pragma once

#include <span>
#include <string>
#include <vector>

#include "data/row_encoder.hpp"
#include "data/survey.hpp"
#include "rampart/dataset.hpp"
#include "rampart/encoding.hpp"

namespace rampart {

/// Encoding::fit() of rows that have been surveyed. `weights`: how often each row counts, > 0;
/// empty: once.
[[nodiscard]] Encoding fit_encoding(RowsView x,
                                    std::span<const std::vector<std::string>> categories,
                                    MissingKind missing, const Survey& survey, unsigned threads,
                                    std::span<const double> weights = {});

/// Scaling::fit() of the features that `encoder`, which does not scale, makes of rows. They are not
/// copied: each of at most two passes encodes them anew. `survey`: of the rows.
[[nodiscard]] Scaling fit_scaling(ScalingKind kind, RowsView x, const RowEncoder& encoder,
                                  const Survey& survey, unsigned threads,
                                  std::span<const double> weights = {});

}  // namespace rampart
