#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "rampart/io.hpp"

namespace rampart {

/// The bytes of a file, of standard input or of memory, unpacked if they turn out to be gzip or xz.
/// What cannot be opened, read or unpacked, or unpacks to more than the limits allow, is an
/// InputError.
class ByteSource {
 public:
  /// "-" is standard input.
  [[nodiscard]] static ByteSource file(const std::string& path, const ReadLimits& limits = {});

  /// `text` must outlive the source. `chunk` is the most that one step takes from it; only speed
  /// depends on it.
  [[nodiscard]] static ByteSource memory(std::string_view text, const std::string& name,
                                         std::size_t chunk = 1 << 16,
                                         const ReadLimits& limits = {});

  ~ByteSource();
  ByteSource(ByteSource&&) noexcept;
  ByteSource& operator=(ByteSource&&) noexcept;

  /// Fills some or all of the buffer, which is not empty; 0 means the end.
  [[nodiscard]] std::size_t read(std::span<char> buffer);

  /// From now on a packed file is unpacked by a thread of its own, which is a few steps ahead of
  /// read(). Nothing happens if the bytes are not packed, or not a file: a thread that waits for a
  /// pipe could not be ended.
  void unpack_ahead();

  /// What errors call it.
  [[nodiscard]] const std::string& name() const noexcept;

  /// How much of the file itself, packed as it may be, has been read.
  [[nodiscard]] std::uint64_t bytes_read() const noexcept;

  /// How many bytes read() will give in all, for callers that reserve memory; 0 if that is not
  /// known beforehand, as with pipes and packed files. A file may still grow or shrink.
  [[nodiscard]] std::uint64_t size_hint() const noexcept;

  /// The part of the file, from 0 to 1, that the bytes given so far come from, without the last
  /// `unused` of them. For packed files an estimate, a little too small rather than too large.
  /// Nothing where the size is not known, or too little has been read to estimate it.
  [[nodiscard]] std::optional<double> share_given(std::size_t unused) const noexcept;

 private:
  struct State;
  explicit ByteSource(std::unique_ptr<State> state);

  std::unique_ptr<State> state_;
};

}  // namespace rampart
