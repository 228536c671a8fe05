#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace rampart {

/// The fields of a row or the names of a header, one after the other in one string. A field takes
/// four bytes besides its text, which matters in rows of millions of empty fields.
class Fields {
 public:
  /// The most bytes that all fields together may have.
  static constexpr std::uint64_t most_bytes = UINT32_MAX;

  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] bool empty() const noexcept { return ends_.empty(); }
  [[nodiscard]] std::string_view operator[](std::size_t field) const {
    const std::size_t start = field == 0 ? 0 : ends_[field - 1];
    return std::string_view(text_).substr(start, ends_[field] - start);
  }

  void add(std::string_view field) {
    text_ += field;
    ends_.push_back(static_cast<std::uint32_t>(text_.size()));
  }
  void clear() noexcept {
    text_.clear();
    ends_.clear();
  }

 private:
  std::string text_;
  std::vector<std::uint32_t> ends_;  // of each field in it
};

}  // namespace rampart
