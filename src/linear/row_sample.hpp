#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "linear/block_pass.hpp"

namespace rampart {

/// The places of every `step`th row.
[[nodiscard]] std::vector<std::size_t> places_apart(RowsView x, std::size_t step);

/// Every `step`th row, mapped, with caps that make up for the others: R of the sample estimates R
/// of all rows.
class RowSample {
 public:
  /// `given`: the rows of the sample before their map, if they are in memory already; viewed.
  RowSample(const BlockRows& rows, const HingeForm& loss, std::size_t step,
            const Rows* given = nullptr);
  RowSample(const RowSample&) = delete;
  RowSample& operator=(const RowSample&) = delete;

  [[nodiscard]] BlockRows rows() const { return {x_, y_, weights_}; }
  [[nodiscard]] const HingeForm& loss() const { return loss_; }
  [[nodiscard]] bool has_both_classes() const;

 private:
  Rows own_;
  RowsView x_;  // own_, or the rows that were given
  std::vector<std::int8_t> y_;
  std::vector<double> weights_;
  HingeForm loss_;
};

}  // namespace rampart
