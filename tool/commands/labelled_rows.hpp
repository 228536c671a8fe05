#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/io.hpp"
#include "rampart/rows_file.hpp"

namespace rampart::tool {

/// Labelled rows: in memory, or in files that are read in place.
class LabelledRows {
 public:
  LabelledRows(Dataset data) : stored_(std::move(data)) {}  // NOLINT: implicit, as for a Problem
  LabelledRows(std::vector<std::string> files, const MappingOptions& options)
      : files_(std::move(files)), options_(options), stored_(MappedDataset(files_, options)) {}

  /// The rows, which this object must outlive, also where it is moved to.
  [[nodiscard]] Problem view() const;
  [[nodiscard]] std::size_t size() const { return view().size(); }

  /// Whether the rows are read in place, and how many bytes of files they are in.
  [[nodiscard]] std::uint64_t mapped_bytes() const;

  void set_groups(std::vector<std::string> groups) { groups_ = std::move(groups); }

  /// The rows with these numbers, in this order.
  [[nodiscard]] LabelledRows part(std::span<const std::size_t> rows) const;

 private:
  // A selection of rows that are read in place.
  struct Part {
    std::vector<std::size_t> places;
    std::vector<std::int8_t> y;
    std::vector<double> weights;
    std::vector<std::string> groups;
    std::vector<std::string> ids;
  };

  [[nodiscard]] Problem all() const;

  std::vector<std::string> files_;  // that are read in place
  MappingOptions options_;
  std::variant<Dataset, MappedDataset> stored_;
  std::optional<std::vector<std::string>> groups_;  // from a file of their own
  std::optional<Part> part_;
};

/// Reads DATA: files of rows in place, all others into memory. `check_now`: false if the rows will
/// be checked as they are read, as RowsView::ensure_readable() says.
[[nodiscard]] LabelledRows read_rows(const std::string& data, const ReadOptions& options,
                                     bool check_now = true);

/// The same as a copy in memory, for commands that change rows or need them in the columns of a
/// model.
[[nodiscard]] Dataset read_copy(const std::string& data, const ReadOptions& options);

}  // namespace rampart::tool
