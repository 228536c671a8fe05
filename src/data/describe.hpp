#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "data/column_judge.hpp"
#include "data/column_warnings.hpp"
#include "rampart/io.hpp"

namespace rampart {

enum class ColumnRole { label, feature, id, weight, group, ignored };

/// What is known of a column after one pass over the file.
struct ColumnSummary {
  std::string name;    ///< by name, or else by number from 1
  bool named = false;  ///< whether it has a name
  ColumnRole role = ColumnRole::feature;
  std::size_t missing = 0;
  std::size_t numbers = 0;  ///< cells that are finite numbers
  std::size_t texts = 0;    ///< other cells that are not missing
  std::size_t different = 0;
  bool exact = true;  ///< whether `different` is a count and no estimate
  double least = 0;   ///< of the numbers, if there are any
  double greatest = 0;
  std::string example;  ///< the first value that is not missing; printable, cut if it is long

  ColumnLook look = ColumnLook::ordinary;
  std::string stray;    ///< stray_texts() of the column
  std::string trouble;  ///< why training refuses the column; empty: it does not

  [[nodiscard]] bool categorical() const noexcept { return texts > 0 || named_categorical; }
  bool named_categorical = false;  ///< by the user, or by the file
  bool named_numeric = false;      ///< by the file
};

struct TableSummary {
  std::string format;  ///< "CSV", "ARFF" or "LIBSVM"
  bool header = false;
  std::size_t rows = 0;
  std::size_t width = 0;                  ///< columns of a table, or features of a LIBSVM file
  std::vector<ColumnSummary> columns;     ///< of a table
  std::vector<std::string> labels;        ///< the first labels; more than two cannot be trained on
  std::vector<std::size_t> label_counts;  ///< their rows
  bool more_labels = false;               ///< whether there are others
  std::size_t unlabelled = 0;             ///< rows without a label
  std::vector<ColumnWarning> warnings;
};

/// Describes the columns of a table in one pass. The memory does not depend on the number of rows.
/// Numbers of different values are counted up to a bound, from there on estimated. LIBSVM files,
/// whose features have no names, get the labels, the number of rows and the widest index only.
[[nodiscard]] TableSummary describe_file(const std::string& path, const ReadOptions& options);

}  // namespace rampart
