#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "solver/claim_loops.hpp"
#include "solver/hinge_qp.hpp"

namespace rampart {

/// The maximal violating pair of each offset.
using OffsetPairs = std::array<ViolatingPair, max_layers>;

[[nodiscard]] inline const ViolatingPair& worst(const OffsetPairs& pairs) {
  return pairs[1].violation() > pairs[0].violation() ? pairs[1] : pairs[0];
}

/// The pair of each offset from the pairs of the layers; several layers may have the same offset.
[[nodiscard]] OffsetPairs by_offset(const HingeQp& qp,
                                    const std::array<ViolatingPair, max_layers>& of_layers);

/// The working set of SMO: the rows whose variables it changes at a time.
///
/// Half of the rows are new: those with the largest violations against the opposite extreme claim,
/// equally many of I_up and I_low of each offset. The others are kept from the last set, free
/// variables first. A small problem is one working set.
class WorkingSet {
 public:
  WorkingSet(const HingeQp& qp, std::size_t most_rows) : qp_(qp), most_(most_rows) {}

  [[nodiscard]] std::span<const std::uint32_t> rows() const { return rows_; }
  [[nodiscard]] bool has_all_rows() const { return rows_.size() == qp_.size(); }

  /// Chooses the next set from the claims of all rows. Returns the positions in rows() that have a
  /// new row; a row that stays keeps its position.
  std::vector<std::size_t> choose(const ClaimTable& claims, const OffsetPairs& pairs);

 private:
  struct Candidate {
    double violation;  // against the opposite extreme claim
    std::uint32_t n;

    bool operator<(const Candidate& other) const {  // the better first
      return violation != other.violation ? violation > other.violation : n < other.n;
    }
  };
  using Side = std::vector<Candidate>;  // I_up or I_low of an offset

  [[nodiscard]] std::vector<Side> candidates(const ClaimTable& claims, const OffsetPairs& pairs,
                                             std::size_t enough) const;
  [[nodiscard]] std::vector<Side> candidates_above(const ClaimTable& claims,
                                                   const OffsetPairs& pairs, double share,
                                                   std::size_t enough) const;
  static void add_candidate(const Candidate& candidate, std::size_t enough, Side& side);
  static void keep_best(std::size_t enough, Side& side);
  void take_best_of_each(std::vector<Side> sides, std::size_t enough);
  void take(std::uint32_t n);
  std::vector<std::size_t> replace_rows();

  const HingeQp& qp_;
  std::size_t most_;
  std::vector<std::uint32_t> rows_;
  std::vector<std::uint32_t> choice_;  // rows_ in the order in which they were chosen
  std::vector<std::uint8_t> chosen_;   // per row of the problem: whether it is in choice_
};

}  // namespace rampart
