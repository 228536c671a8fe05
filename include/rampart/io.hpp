#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/dataset.hpp"

namespace rampart {

enum class Format { automatic, libsvm, csv };

/// The columns that a model was trained on: what a file to predict has to offer.
struct FeatureLayout {
  std::size_t count = 0;
  std::vector<std::string> names;  ///< empty: known by position only
  std::string label;               ///< column of the labels, by name or number; empty: the last

  friend bool operator==(const FeatureLayout&, const FeatureLayout&) = default;
};

/// Files beyond these limits are refused, so that a line without an end, a quote that is never
/// closed or a file that unpacks to a thousand times its size does not fill the memory. Larger
/// limits let larger files through, which take the memory they need.
struct ReadLimits {
  /// Of a line, or of all lines that quoted cells make one row. Values above 4 GiB − 1 mean that.
  std::uint64_t line_bytes = std::uint64_t{256} << 20;
  std::uint64_t cell_bytes = std::uint64_t{16} << 20;  ///< of a cell of a CSV file
  std::uint64_t model_bytes = std::uint64_t{1} << 30;  ///< of a model file, unpacked
  /// Bytes unpacked for every byte of a compressed file. Does not matter to the first 256 MiB.
  double unpacking_ratio = 1000;
};

/// How a text file of rows is understood. Whatever is left at its default is found out from the
/// file: format, delimiter, header, classes.
///
/// LIBSVM: "label index:value …", indices from 1, increasing; "#" starts a comment.
/// CSV: RFC 4180 quotes; delimited by tab, ";", "|", "," or white space. The first line is a header
/// if it holds no number. Compressed files (.gz, .xz) are recognised by their first bytes.
struct ReadOptions {
  Format format = Format::automatic;
  std::string label;                ///< CSV: column by name or number from 1; empty: the last
  std::string weight;               ///< CSV: column of row weights; empty: every row counts 1
  std::string group;                ///< CSV: column of who a row belongs to; empty: unknown
  std::vector<std::string> ignore;  ///< CSV: columns left out
  std::optional<bool> header;       ///< CSV: whether the first line names the columns
  std::optional<char> delimiter;    ///< CSV: ' ' stands for any run of white space
  std::string positive;             ///< the label that becomes +1; empty: the greater one
  bool serial_numbers = false;      ///< LIBSVM: accept "0:n", which precomputed kernels carry

  /// Set when a model is to be applied: the features are matched to it by name where both have
  /// names, by position otherwise; the label, if there is one and `label` is empty, is where it was
  /// in training; the labels must be the model's classes.
  std::optional<FeatureLayout> expected;
  std::optional<ClassNames> classes;

  ReadLimits limits;

  /// Told now and then how many bytes of the file have been read.
  std::function<void(std::uint64_t bytes)> progress;
};

/// Reads a whole labelled file; "-" is standard input. Throws InputError, naming file and line.
[[nodiscard]] Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// The same from text already in memory; `name` is what errors call it.
[[nodiscard]] Dataset parse_dataset(std::string_view text, const std::string& name,
                                    const ReadOptions& options = {});

/// The lines of a text file, one name each: white space around them and a last empty line do not
/// count.
[[nodiscard]] std::vector<std::string> read_lines(const std::string& path,
                                                  const ReadLimits& limits = {});

/// Rows to predict, read a batch at a time so that a file need not fit into memory.
/// A label column is not needed, and is skipped where there is one.
class RowStream {
 public:
  /// `options.expected` must be set.
  RowStream(const std::string& path, const ReadOptions& options);
  ~RowStream();
  RowStream(RowStream&&) noexcept;
  RowStream& operator=(RowStream&&) noexcept;

  /// The next rows, at most this many; empty at the end of the file.
  [[nodiscard]] Rows next(std::size_t most);

  /// Features of the widest row so far: fewer than expected is legal for sparse LIBSVM rows only.
  [[nodiscard]] std::size_t widest() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The data set as text that read_dataset reads back to the same bits.
[[nodiscard]] std::string to_libsvm(const Dataset& data);
[[nodiscard]] std::string to_csv(const Dataset& data);

/// SHA-256 of the file as it is on the disk, as 64 hexadecimal digits: whether data are the ones
/// that somebody else used. Throws InputError if it cannot be read.
[[nodiscard]] std::string sha256_of_file(const std::string& path);

/// A file that appears whole or not at all: written aside, flushed to the disk, then renamed.
///
/// The constructor already creates the file aside, so that a folder that cannot be written to is
/// found out before the work, not after it. Without commit() nothing is left behind. Pipes and
/// devices, which cannot be renamed over, are written to directly.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void write(std::string_view bytes);
  void flush();  ///< waits until what was written is on the disk; commit() does it too
  void commit();

  /// The file aside, to be removed if the process has to end; empty when writing directly.
  [[nodiscard]] const std::string& temporary() const noexcept { return temporary_; }

 private:
  std::string path_;       // as the user gave it, for messages
  std::string target_;     // what is renamed over: symbolic links followed
  std::string temporary_;  // empty: none, or already renamed
  int descriptor_ = -1;
  bool flushed_ = false;
};

/// Removes what killed processes left of their OutputFiles in the folder that this file is in.
/// Files that are still being written are locked, and stay.
void remove_abandoned_files(const std::string& path);

}  // namespace rampart
