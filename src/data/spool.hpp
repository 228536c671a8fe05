#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/output_file.hpp"

namespace rampart {

/// The checksums of the blocks of a stream of bytes.
class BlockSums {
 public:
  explicit BlockSums(std::uint64_t block_bytes);
  ~BlockSums();
  BlockSums(BlockSums&&) noexcept;
  BlockSums& operator=(BlockSums&&) noexcept;

  void add(std::string_view bytes);

  /// One for every block, the last of which may be shorter.
  [[nodiscard]] std::vector<std::uint64_t> finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Bytes that are collected in a file without a name beside the output, because they come after
/// others there whose number is not known yet. The system frees it however the process ends.
class Spool {
 public:
  /// `output`: where it will go, for the folder and for messages.
  explicit Spool(const std::string& output);
  ~Spool();
  Spool(Spool&&) noexcept;
  Spool& operator=(Spool&&) = delete;

  void add(std::string_view bytes);
  [[nodiscard]] std::uint64_t size() const noexcept { return written_ + buffer_.size(); }

  void read_at(std::uint64_t offset, std::span<char> bytes);

  /// Calls use(std::string_view) for all bytes, part by part.
  template <class Use>
  void for_each_part(const Use& use) {
    std::string part;
    for (std::uint64_t at = 0; at < size(); at += part.size()) {
      part.resize(static_cast<std::size_t>(std::min<std::uint64_t>(part_bytes, size() - at)));
      read_at(at, part);
      use(std::string_view(part));
    }
  }

 private:
  static constexpr std::size_t part_bytes = std::size_t{1} << 20;
  void write_buffer();

  std::string output_;
  int descriptor_ = -1;  // negative: all fits into the buffer so far
  std::uint64_t written_ = 0;
  std::string buffer_;
};

}  // namespace rampart
