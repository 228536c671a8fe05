#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/byte_source.hpp"
#include "data/place.hpp"

namespace rampart {

/// The lines of a text, one after the other, with as much of it in memory as the longest line
/// needs. A byte order mark is passed over; a NUL byte, which no text has, is an InputError, and so
/// is a line of more than `limits.line_bytes`.
class LineReader {
 public:
  explicit LineReader(ByteSource source, const ReadLimits& limits = {},
                      std::function<void(std::uint64_t)> progress = {});

  /// The next line, with its line end if it has one. Valid until the next call.
  [[nodiscard]] std::optional<std::string_view> next();

  /// The whole lines that come next, up to so many bytes together; empty if the next line is
  /// longer, or the last one and without a line end. next() still gives them. Valid until next() or
  /// this is called for what lies behind them. Nothing is checked here but in next().
  [[nodiscard]] std::string_view ahead(std::size_t bytes);

  /// Reads on in a file while what ahead() has shown is parsed. Another thread may call it, as long
  /// as nobody uses the reader otherwise. Does nothing where it might have to wait, as for a pipe.
  void read_on() noexcept;

  /// Passes over the next line, of so many bytes, which ahead() has shown.
  void skip_line(std::size_t bytes) noexcept {
    begin_ += bytes;
    given_ += bytes;
    ++line_;
  }

  /// How many bytes next() and skip_line() have passed.
  [[nodiscard]] std::uint64_t offset() const noexcept { return given_; }

  /// The longest line that next() gives.
  [[nodiscard]] std::size_t longest_line() const noexcept { return longest_line_; }

  /// The line that next() gave last.
  [[nodiscard]] Place place() const noexcept { return {source_.name(), line_}; }
  [[nodiscard]] Place whole_file() const noexcept { return {source_.name(), 0}; }

  /// How much of the file next() has given, from 0 to 1; nothing where that is not known. An
  /// estimate: a file may be packed, and it may grow.
  [[nodiscard]] std::optional<double> share_given() const noexcept;

  /// The first bytes, from which files that are no text are told. Call it before next(). Valid
  /// until then. `first_line_only`: waits for no more than the first line, which may be all that an
  /// open pipe holds yet.
  [[nodiscard]] std::string_view start(bool first_line_only);

  /// The first lines, up to the `most`-th that is neither blank nor a comment, from which the
  /// format is guessed. Blank lines are left out, and so are comments before the first row; later
  /// lines that start with "#" are kept, since they may be part of a quoted field. Call it before
  /// next(), which still gives these lines. Valid until then.
  [[nodiscard]] std::vector<std::string_view> preview(std::size_t most);

 private:
  [[nodiscard]] std::string_view ready() const noexcept {
    return {buffer_.data() + begin_, end_ - begin_};
  }
  bool fill();
  void take_spare();
  void refuse_long(std::size_t length) const;
  void report_progress(bool at_end);

  ByteSource source_;
  std::size_t longest_line_;
  std::function<void(std::uint64_t)> progress_;
  std::uint64_t reported_ = 0;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // what has been read and not given yet
  std::size_t end_ = 0;
  std::size_t line_ = 0;
  std::uint64_t given_ = 0;
  bool started_ = false;
  bool ended_ = false;

  // What read_on() has read: the bytes from spare_begin on.
  std::vector<char> spare_;
  std::size_t spare_end_ = 0;  // 0: it has not been called
  std::exception_ptr spare_error_;
  bool taken_from_spare_ = false;  // whether the last fill() gave what read_on() had read
};

}  // namespace rampart
