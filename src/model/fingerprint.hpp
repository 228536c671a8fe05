#pragma once

#include <cstddef>
#include <memory>

#include "rampart/dataset.hpp"
#include "rampart/model.hpp"

namespace rampart {

/// The least hashes of the rows, at most 1024 of them. A row is its values, its label and its id,
/// if there are ids; a category counts by its name.
[[nodiscard]] Fingerprint fingerprint_of(const Problem& data, unsigned threads = 1);

/// The same of rows that are read for something else at the time: each is added once, in any order,
/// by any thread.
class FingerprintReader {
 public:
  explicit FingerprintReader(const Problem& data);  ///< which must outlive it
  ~FingerprintReader();

  void add(std::size_t begin, std::size_t end);
  [[nodiscard]] Fingerprint take();  ///< when all rows were added

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// How many of some rows a model was trained on.
struct Overlap {
  std::size_t rows = 0;     ///< looked up: those whose hash the fingerprint would hold
  std::size_t trained = 0;  ///< of these, rows that the fingerprint holds
  bool all = true;          ///< whether every row was looked up

  /// Share of the rows that were trained on; an estimate unless all were looked up.
  [[nodiscard]] double share() const {
    return rows == 0 ? 0.0 : static_cast<double>(trained) / static_cast<double>(rows);
  }
};
[[nodiscard]] Overlap overlap(const Fingerprint& trained, const Problem& data);

}  // namespace rampart
