#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/dataset.hpp"

namespace rampart {

enum class Format { automatic, libsvm, csv, arff };

/// The columns that a model was trained on, and that a file to predict must have.
struct FeatureLayout {
  std::size_t count = 0;
  std::vector<std::string> names;  ///< empty: matched by position
  std::string label;               ///< column of the labels, by name or number; empty: the last
  Categories categories;           ///< one list per column; empty: all columns are numeric
  std::string id;                  ///< column of the ids, by name or number; empty: none
  /// Positions of the columns in the training file, from 1, and its number of columns. A file
  /// without names that has as many columns is read in the same places. Empty and 0: not known.
  std::vector<std::uint32_t> fields;
  std::size_t file_columns = 0;
  std::vector<std::string> missing_values;  ///< spellings of a missing value besides the usual ones

  friend bool operator==(const FeatureLayout&, const FeatureLayout&) = default;
};

/// The columns of a data set, as a model trained on it will expect them.
[[nodiscard]] FeatureLayout layout_of(const Problem& data);

/// Files beyond these limits are refused, so that a line without an end, a quote that is never
/// closed or a file that unpacks to a thousand times its size does not fill the memory. Larger
/// limits accept larger files, which need more memory.
struct ReadLimits {
  /// Of a line, or of all lines that a quoted cell joins to one row. Values above 4 GiB − 1 count
  /// as 4 GiB − 1.
  std::uint64_t line_bytes = std::uint64_t{256} << 20;
  std::uint64_t cell_bytes = std::uint64_t{16} << 20;  ///< of a cell of a CSV file
  std::uint64_t model_bytes = std::uint64_t{1} << 30;  ///< of a model file, unpacked
  /// Unpacked bytes per byte of a compressed file. Not applied to the first 256 MiB.
  double unpacking_ratio = 1000;
};

/// The most categories of a column unless ReadOptions has another limit.
inline constexpr std::size_t default_max_categories = 100;

/// How a text file of rows is read. Format, delimiter, header and classes are detected unless they
/// are set here.
///
/// LIBSVM: "label index:value …", indices from 1, increasing; "#" starts a comment.
/// CSV: RFC 4180 quotes; delimited by tab, ";", "|", "," or white space. The first line is a header
/// if it holds no number. A column of text is categorical. Empty cells, ?, NA, N/A, #N/A, NaN,
/// null, None and -, in any case, are missing values.
/// ARFF: nominal attributes are categories. The label is the attribute called "class", or the last.
/// What is said of CSV below holds for ARFF too, but for header and delimiter. For LIBSVM files it
/// is refused where it is set, not ignored. Compressed files (.gz, .xz) are recognised by their
/// first bytes.
struct ReadOptions {
  Format format = Format::automatic;
  std::string label;                ///< CSV: column by name or number from 1; empty: the last
  std::string weight;               ///< CSV: column of row weights; empty: every row counts 1
  std::string group;                ///< CSV: column of group names; empty: no groups
  std::vector<std::string> ignore;  ///< CSV: columns left out
  std::optional<bool> header;       ///< CSV: whether the first line names the columns
  std::optional<char> delimiter;    ///< CSV: ' ' stands for any run of white space
  std::string positive;             ///< the label that becomes +1; empty: the greater one
  std::string id;                   ///< CSV: column that names each row; empty: none
  /// CSV: columns of numbers that are categories all the same. "1" and "1.0" are one category.
  std::vector<std::string> categorical;
  /// CSV: a column of text with more is refused; not set: default_max_categories
  std::optional<std::size_t> max_categories;
  /// CSV: spellings of a missing value besides the usual ones. Labels are compared with texts only.
  std::vector<std::string> missing_values;
  std::optional<bool> refuse_missing;  ///< CSV: whether a missing value is an error; not set: no
  bool serial_numbers = false;         ///< LIBSVM: accept "0:n", which precomputed kernels carry

  /// For applying a model. Features are matched to the model's by name if both have names,
  /// otherwise by position. If `label` is empty, the label column is that of training. Labels must
  /// be the model's classes.
  std::optional<FeatureLayout> expected;
  std::optional<ClassNames> classes;

  ReadLimits limits;

  /// RowStream, CSV: columns to pass through as they are, by name or number.
  std::vector<std::string> keep;
  bool keep_all = false;

  /// RowStream: whether rows are given as soon as they are there, for a pipe that stays open.
  bool line_by_line = false;

  /// RowStream: whether a row that cannot be read is given with its fault, instead of an error.
  bool tolerate_faults = false;

  /// RowStream: whether every row must have a label, one of `classes`.
  bool labelled = false;

  /// How many threads may parse; 0: as many as the machine has. What is read does not depend on it.
  unsigned threads = 0;

  /// Called from time to time with the number of bytes read so far.
  std::function<void(std::uint64_t bytes)> progress;
};

/// Reads a whole labelled file; "-" is standard input. Throws InputError, naming file and line.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// The same for several files, whose rows are one data set, one file after the other. All have the
/// format and the columns of the first. Throws InputError, naming the file that differs.
[[nodiscard]] Dataset read_dataset(std::span<const std::string> paths,
                                   const ReadOptions& options = {});

/// The same from text in memory; errors refer to it as `name`.
[[nodiscard]] Dataset parse_dataset(std::string_view text, const std::string& name,
                                    const ReadOptions& options = {});

/// Some rows to predict or, if they are labelled, to measure on.
struct RowBatch {
  Rows x;                           ///< a row that cannot be read holds NaN (0 if sparse)
  std::vector<std::int8_t> y;       ///< labels, −1 or +1; empty unless ReadOptions::labelled
  std::vector<std::string> ids;     ///< empty: the file has no column of ids
  std::vector<std::string> faults;  ///< why a row cannot be read, "" if it can; empty: all can
  std::vector<std::string> unseen;  ///< first unseen category of a row, as text; empty: none has
  std::vector<std::vector<std::string>> kept;  ///< cells of the columns to keep; empty: none

  [[nodiscard]] std::size_t size() const noexcept { return x.size(); }
};

/// Rows to predict, read a batch at a time so that a file need not fit into memory. A label column
/// is optional, and skipped, unless labels are asked for.
class RowStream {
 public:
  /// `options.expected` must be set; if rows are labelled, `options.classes` too.
  RowStream(const std::string& path, const ReadOptions& options);
  /// The rows of several files, one after the other, as read_dataset() has them.
  RowStream(std::span<const std::string> paths, const ReadOptions& options);
  ~RowStream();
  RowStream(RowStream&&) noexcept;
  RowStream& operator=(RowStream&&) noexcept;

  /// The next rows, at most this many; empty at the end of the file. What is wrong with labels or
  /// weights of the whole file is an InputError then.
  [[nodiscard]] RowBatch next(std::size_t most);

  /// The column of the ids, by name or number; empty: there is none.
  [[nodiscard]] std::string id_name() const;

  /// Names of the columns to keep; their numbers if the file has no header.
  [[nodiscard]] std::vector<std::string> kept_names() const;

  /// Features of the widest row so far. Only sparse LIBSVM rows may have fewer than expected.
  [[nodiscard]] std::size_t widest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The data set as text that read_dataset reads back to the same bits. Groups are not written.
/// LIBSVM has no place for weights, categories, missing values and ids: the first three are
/// InputErrors, ids are left out. Columns of CSV whose categories look like numbers must be named
/// as categorical.
[[nodiscard]] std::string to_libsvm(const Dataset& data);
[[nodiscard]] std::string to_csv(const Dataset& data);

}  // namespace rampart
