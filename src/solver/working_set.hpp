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

/// Of the pairs of the layers, those of the offsets: several layers may share one.
[[nodiscard]] OffsetPairs by_offset(const HingeQp& qp,
                                    const std::array<ViolatingPair, max_layers>& of_layers);

/// Which rows SMO works on at a time.
///
/// Half of them are new: the rows whose claims contradict the opposite extreme most, from both
/// sides of every offset alike. The others are those of the last time that may still move either
/// way. Few rows are worked on all at once.
class WorkingSet {
 public:
  WorkingSet(const HingeQp& qp, std::size_t most_rows) : qp_(qp), most_(most_rows) {}

  [[nodiscard]] std::span<const std::uint32_t> rows() const { return rows_; }
  [[nodiscard]] bool has_all_rows() const { return rows_.size() == qp_.size(); }

  /// Chooses anew; `claims` are those of all rows. Returns the places in rows() whose row is new: a
  /// row that stays keeps its place.
  std::vector<std::size_t> choose(const ClaimTable& claims, const OffsetPairs& pairs);

 private:
  struct Candidate {
    double contradiction;  // with the opposite extreme claim
    std::uint32_t n;

    bool operator<(const Candidate& other) const {  // the better first
      return contradiction != other.contradiction ? contradiction > other.contradiction
                                                  : n < other.n;
    }
  };
  using Side = std::vector<Candidate>;  // of an offset: I_up or I_low

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
  std::vector<std::uint32_t> choice_;  // the same rows, or the next, in the order of choosing
  std::vector<std::uint8_t> chosen_;   // per row of the problem: whether it is among them
};

}  // namespace rampart
