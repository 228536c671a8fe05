#include "data/row_lines.hpp"

namespace rampart {

std::optional<std::string_view> RowLines::first() {
  // What has been given is forgotten in large pieces, so that every byte moves once on average.
  if (next_ > kept_.size() / 2) {
    kept_.erase(0, next_);
    next_ = 0;
  }
  const auto line = give(false);
  mark_ = next_;
  first_line_ = line_;
  return line;
}

std::optional<std::string_view> RowLines::more() { return give(keep_); }

void RowLines::go_back() noexcept {
  if (!keep_) return;
  next_ = mark_;
  line_ = first_line_;
}

std::optional<std::string_view> RowLines::give(bool keep) {
  if (next_ < kept_.size()) {
    const std::size_t end = kept_.find('\n', next_);
    const std::size_t begin = next_;
    next_ = end == kept_.npos ? kept_.size() : end + 1;
    ++line_;
    return std::string_view(kept_).substr(begin, next_ - begin);
  }
  const auto line = lines_.next();
  if (!line) return line;
  ++line_;
  if (keep) {
    kept_ += *line;
    next_ = kept_.size();
  }
  return line;
}

}  // namespace rampart
