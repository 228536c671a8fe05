#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "data/row_encoder.hpp"
#include "rampart/dataset.hpp"
#include "rampart/encoding.hpp"
#include "rampart/familiar.hpp"
#include "rampart/kernel.hpp"
#include "rampart/options.hpp"

namespace rampart {

struct FirstReading;
struct Survey;

/// Encoded and scaled training rows and their kernel. They do not depend on the objective, so many
/// trainings share them.
///
/// Views the caller's rows where neither changes them; those must outlive this.
struct TrainingRows {
  Encoding encoding;
  Scaling scaling;  ///< of the model
  Scaling applied;  ///< to these rows: `scaling`, or also features that are constant
  Familiar familiar;
  RowsView x;                 ///< encoded and scaled, once materialise() has been called
  std::unique_ptr<Rows> own;  ///< holds x if it is not the caller's
  bool moved = false;  ///< whether features far from 0 were centred without the scaling option
  Kernel kernel;
  std::optional<double> semidefinite;  ///< error bound: see semidefinite_up_to()
  std::vector<double> weights;         ///< in proportion to how often rows count; empty: once

  /// What the user calls each row, from 0, for messages; empty: by its place.
  std::span<const std::size_t> numbers = {};
  [[nodiscard]] std::size_t number_of(std::size_t n) const {
    return numbers.empty() ? n : numbers[n];
  }

  /// Of few rows: see CountedRows. Otherwise empty.
  std::span<const std::size_t> kinds = {};

  /// Some of the rows as they are, kept in memory by the first reading; null: none.
  const Rows* sample = nullptr;

  /// Learns how rows become features, in a few passes over them: `encoding`, `scaling`, `familiar`,
  /// `applied`,
  /// `moved`. No row is copied, and memory is taken by the column: x are the rows as they are, of
  /// which RowEncoder makes features block by block. Throws InputError for rows that cannot be
  /// trained on.
  static TrainingRows learn(const Problem& data, const Representation& representation,
                            unsigned threads);

  /// The same of rows that have been read once, as features and not as kernel values. The reading
  /// must outlive this.
  static TrainingRows learn(const Problem& data, const Representation& representation,
                            const FirstReading& reading, unsigned threads);

  /// Throws InputError for a cell that is no number and no category of its column.
  static void check_cells(const Problem& data, const Survey& survey);

  /// Makes features of the rows as they are.
  [[nodiscard]] RowEncoder encoder() const;

  /// Replaces x by its features, and finds the kernel. Once.
  void materialise(const Representation& representation, unsigned threads);

  /// Both.
  static TrainingRows prepare(const Problem& data, const Representation& representation,
                              unsigned threads);
};

/// w = Σ vₙxₙ of a linear kernel.
[[nodiscard]] std::vector<double> weights_of(RowsView x, std::span<const double> v);

/// Kv for a linear kernel, through w.
[[nodiscard]] std::vector<double> linear_product(RowsView x, std::span<const double> v,
                                                 unsigned threads);

}  // namespace rampart
