#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "linear/block_pass.hpp"

namespace rampart {

/// The rows of a block near a kink: those whose hinges may bend, or whose flat sets may change,
/// while no s moves by more than a reach. They are few once w has found its place, and are copied.
/// Every other row has t = a = 0 or 1, and its ψ, its convex problem and its loss are the same
/// linear function of s; so the others together are
///
///   dual − gradient·w − pull·τ
///
/// with sums that do not change. While no row moves further than the reach, the sums of these rows
/// and of the others are those of the whole block.
class NearRows {
 public:
  /// The rows within visit.gather of a kink, after the centres were moved to the point of this
  /// visit; nothing if they are too many. `sums`: what the visit found in the whole block, its
  /// gradient too.
  [[nodiscard]] static std::optional<NearRows> gather(const BlockRows& rows, const HingeForm& loss,
                                                      const Frame& frame, const Visit& visit,
                                                      std::span<const float> centres,
                                                      const PassSums& sums);

  [[nodiscard]] std::size_t size() const { return y_.size(); }

  /// As block_pass(), block_search() and block_product() of the whole block. Moved centres are
  /// written to `centres`, those of the block, too.
  [[nodiscard]] PassSums run(const HingeForm& loss, const Frame& frame, const Visit& visit,
                             std::span<float> centres);
  [[nodiscard]] SearchSums search(const HingeForm& loss, const Frame& frame, const Visit& visit,
                                  std::span<const double> direction_w,
                                  const std::array<double, most_layers>& direction_offsets,
                                  std::span<const double> thetas) const;
  [[nodiscard]] std::vector<double> product(const HingeForm& loss, const Frame& frame,
                                            const Visit& visit, std::span<const double> v) const;

 private:
  [[nodiscard]] BlockRows rows() const { return {x_, y_, weights_, nullptr, scores_}; }
  [[nodiscard]] double loss_of_others(const Visit& visit) const;

  std::vector<std::size_t> which_;  // numbers in the block
  Rows x_;
  std::vector<std::int8_t> y_;
  std::vector<double> weights_;
  std::vector<double> scores_;  // u when they were gathered
  std::vector<float> centres_;
  PassSums others_;
};

/// A block of rows and what visits leave behind in it: the centres, kept by the caller, and the
/// rows near a kink. A visit of near rows follows one that gathered them, or another of near rows;
/// in blocks where they are too many it looks at all rows. What a block answers is a function of
/// its rows and of the visits that gathered rows or moved centres.
class VisitedBlock {
 public:
  /// Whether a visit looks at the rows of the block themselves.
  [[nodiscard]] bool needs_rows(const Visit& visit) const { return !visit.near || !near_; }

  [[nodiscard]] PassSums run(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                             const Visit& visit, std::span<float> centres);
  [[nodiscard]] SearchSums search(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                                  const Visit& visit, std::span<const double> direction_w,
                                  const std::array<double, most_layers>& direction_offsets,
                                  std::span<const double> thetas,
                                  std::span<const float> centres) const;
  [[nodiscard]] std::vector<double> product(const BlockRows& rows, const HingeForm& loss,
                                            const Frame& frame, const Visit& visit,
                                            std::span<const double> v,
                                            std::span<const float> centres) const;

 private:
  std::optional<NearRows> near_;  // none: too many rows are near, or none were gathered
};

}  // namespace rampart
