#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rampart {

/// SHA-256 (FIPS 180-4) of bytes that arrive in pieces.
class Sha256 {
 public:
  void add(std::string_view bytes);

  /// The digest of all that was added, as 64 hexadecimal digits. Ends the use of this object.
  [[nodiscard]] std::string finish();

 private:
  void digest_block(const unsigned char* bytes);

  std::array<std::uint32_t, 8> hash_ = {  // fractional parts of the square roots of 2, 3, 5, …
      0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};  // what does not fill a block yet
  std::size_t pending_ = 0;                // its size
  std::uint64_t size_ = 0;                 // of everything, in bytes
};

}  // namespace rampart
