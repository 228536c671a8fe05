#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "data/mapped_file.hpp"
#include "data/rows_columns_match.hpp"
#include "rampart/io.hpp"

namespace rampart {

/// Throws InputError about options that were decided when the file was made, unless they ask for
/// what is there: they are refused, not ignored.
void refuse_text_options(const ReadOptions& options, const RowsHeader& header,
                         const FeatureLayout& layout, std::string_view file);

void require_no_text_options(std::span<const std::string> paths, const ReadOptions& options);

/// Whether the files are files of rows. Throws InputError if some are and others are not.
[[nodiscard]] bool are_rows_files(std::span<const std::string> paths);

/// A copy in memory of the rows of files, as read_dataset() gives those of text.
[[nodiscard]] Dataset read_rows_files(std::span<const std::string> paths,
                                      const ReadOptions& options);

/// Rows of files to predict, some at a time, in the columns of a model. What is kept in memory does
/// not grow with the files.
class RowsFileStream {
 public:
  /// `options.expected` must be set.
  RowsFileStream(std::vector<std::string> paths, const ReadOptions& options);

  [[nodiscard]] RowBatch next(std::size_t most);
  [[nodiscard]] const std::string& id_name() const;
  [[nodiscard]] std::size_t widest() const noexcept { return widest_; }

 private:
  void open(std::size_t number);

  std::vector<std::string> paths_;
  ReadOptions options_;
  std::size_t file_number_ = 0;
  std::unique_ptr<MappedFile> file_;
  std::optional<ColumnMatch> match_;
  std::size_t row_ = 0;   // of the file, the next to be given
  bool swapped_ = false;  // whether the classes of the file are the model's the other way round
  std::size_t widest_ = 0;
};

}  // namespace rampart
