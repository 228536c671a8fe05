#include "data/line_reader.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "data/fields.hpp"
#include "data/limits.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr std::size_t first_capacity = 1 << 16;
constexpr std::size_t longest_preview = 1 << 24;
constexpr std::uint64_t progress_step = 1 << 20;
// Before it there is room for the beginning of a line, which is at the end of the other buffer.
constexpr std::size_t spare_begin = 1 << 16;
constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";

void refuse_nul(std::string_view line, const Place& place) {
  if (line.find('\0') == std::string_view::npos) return;
  refuse(place, "a NUL byte: this is not a text file (if it is UTF-16, save it as UTF-8)");
}

}  // namespace

LineReader::LineReader(ByteSource source, const ReadLimits& limits,
                       std::function<void(std::uint64_t)> progress)
    : source_(std::move(source)),
      longest_line_(std::min(limits.line_bytes, Fields::most_bytes)),
      progress_(std::move(progress)),
      buffer_(first_capacity) {}

// Reads more behind what is there; false at the end of the text.
bool LineReader::fill() {
  if (ended_) return false;
  if (spare_end_ > 0) {
    take_spare();
    report_progress(ended_);
    return !ended_;
  }
  taken_from_spare_ = false;
  if (begin_ > 0) {
    std::copy(buffer_.begin() + begin_, buffer_.begin() + end_, buffer_.begin());
    end_ -= std::exchange(begin_, 0);
  }
  if (end_ == buffer_.size()) {
    // Large enough to find that a line is too long, and no larger; the last step goes to that size
    // at once if little would be left.
    const std::size_t enough = std::max(longest_line_, longest_preview) + first_capacity;
    const std::size_t doubled = 2 * end_;
    buffer_.resize(doubled + first_capacity < enough ? doubled : enough);
  }
  const std::size_t count = source_.read({buffer_.data() + end_, buffer_.size() - end_});
  end_ += count;
  ended_ = count == 0;
  report_progress(ended_);
  if (started_) return !ended_;

  if (end_ < byte_order_mark.size() && !ended_) return fill();
  started_ = true;
  if (std::string_view(buffer_.data(), end_).starts_with(byte_order_mark)) {
    begin_ = byte_order_mark.size();
  }
  return begin_ < end_ || fill();
}

void LineReader::read_on() noexcept {
  // Files whose size is known are neither packed nor pipes.
  if (ended_ || !started_ || spare_end_ > 0 || source_.size_hint() == 0) return;
  try {
    spare_.resize(std::max(buffer_.size(), spare_begin + first_capacity));
    spare_end_ = spare_begin + source_.read(std::span(spare_).subspan(spare_begin));
  } catch (...) {
    spare_error_ = std::current_exception();
    spare_end_ = spare_begin;
  }
}

// Puts what read_on() has read behind what is there: the little that is there moves, if it is
// little.
void LineReader::take_spare() {
  if (spare_error_) std::rethrow_exception(spare_error_);
  const std::size_t count = spare_end_ - spare_begin;
  const std::size_t left = end_ - begin_;
  ended_ = count == 0;
  if (left <= spare_begin) {
    std::copy_n(buffer_.data() + begin_, left, spare_.data() + spare_begin - left);
    std::swap(buffer_, spare_);
    begin_ = spare_begin - left;
    end_ = spare_begin + count;
  } else {
    std::copy_n(buffer_.data() + begin_, left, buffer_.data());
    begin_ = 0;
    buffer_.resize(std::max(buffer_.size(), left + count));
    std::copy_n(spare_.data() + spare_begin, count, buffer_.data() + left);
    end_ = left + count;
  }
  spare_end_ = 0;
  taken_from_spare_ = true;
}

void LineReader::report_progress(bool at_end) {
  if (!progress_) return;
  const std::uint64_t bytes = source_.bytes_read();
  if (bytes - reported_ < progress_step && !(at_end && bytes > reported_)) return;
  reported_ = bytes;
  progress_(bytes);
}

std::optional<std::string_view> LineReader::next() {
  std::size_t length = 0;  // of the line, as far as it has been searched for its end
  for (;;) {
    const std::size_t newline = ready().find('\n', length);
    if (newline != std::string_view::npos) {
      length = newline + 1;
      break;
    }
    length = ready().size();
    refuse_long(length);
    if (!fill()) break;
  }
  if (length == 0) return std::nullopt;
  refuse_long(length);

  const std::string_view line = ready().substr(0, length);
  skip_line(length);
  refuse_nul(line, place());
  return line;
}

std::string_view LineReader::ahead(std::size_t bytes) {
  // What read_on() has read is a little less than was asked for. To read the rest would move it
  // all.
  const auto suffices = [&] {
    return ready().size() >= bytes || (ready().size() + spare_begin >= bytes && taken_from_spare_ &&
                                       ready().find('\n') != std::string_view::npos);
  };
  while (!suffices() && fill()) {
  }
  const std::string_view shown = ready().substr(0, bytes);
  return shown.substr(0, shown.rfind('\n') + 1);
}

// `length`: of the line that comes next, as far as it is known.
void LineReader::refuse_long(std::size_t length) const {
  if (length <= longest_line_) return;
  refuse(
      {source_.name(), line_ + 1},
      fmt::format("a line of more than {}; a larger limit reads it", size_in_words(longest_line_)),
      Setting::line_limit);
}

std::optional<double> LineReader::share_given() const noexcept {
  const std::size_t spare = spare_end_ > spare_begin ? spare_end_ - spare_begin : 0;
  return source_.share_given(ready().size() + spare);
}

std::string_view LineReader::start(bool first_line_only) {
  constexpr std::size_t enough = 4096;
  const auto suffices = [&] {
    return ready().size() >= enough ||
           (first_line_only && ready().find('\n') != std::string_view::npos);
  };
  while (!suffices() && fill()) {
  }
  return ready().substr(0, enough);
}

std::vector<std::string_view> LineReader::preview(std::size_t most) {
  std::vector<std::pair<std::size_t, std::size_t>> found;  // offset, length: the buffer may move
  std::size_t rows = 0;                                    // lines found that are no comments
  std::size_t start = 0;                                   // of the current line
  std::size_t searched = 0;  // up to here there is no line end but those passed
  for (std::size_t line = 1; rows < most && found.size() < 10 * most;) {
    const std::size_t newline = ready().substr(0, longest_preview).find('\n', searched);
    const bool complete = newline != std::string_view::npos;
    searched = complete ? newline + 1 : std::min(ready().size(), longest_preview);
    if (!complete && searched < longest_preview && fill()) continue;

    const std::string_view text = ready().substr(start, searched - start);
    refuse_nul(text, {source_.name(), line++});
    const bool comment = text.starts_with('#');
    if (!trimmed(text).empty() && !(comment && found.empty())) {
      found.emplace_back(start, text.size());
      rows += !comment;
    }
    start = searched;
    if (!complete) break;
  }
  std::vector<std::string_view> lines;
  for (const auto& [offset, length] : found) lines.push_back(ready().substr(offset, length));
  return lines;
}

}  // namespace rampart
