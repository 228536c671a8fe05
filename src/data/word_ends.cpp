#include "data/word_ends.hpp"

#include <type_traits>

#include "util/instruction_set.hpp"

// Highway compiles this file once for every instruction set, by including it again and again.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "data/word_ends.cpp"
#include <hwy/foreach_target.h>
// Must come after foreach_target.h
#include <hwy/highway.h>

#include <algorithm>
#include <array>
#include <bit>

#include "util/text.hpp"

HWY_BEFORE_NAMESPACE();
namespace rampart::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// A bit for each of 64 characters.
#if HWY_TARGET == HWY_SCALAR

template <class Test>
HWY_INLINE std::uint64_t bits_where(const char* text, const Test& test) {
  std::uint64_t bits = 0;
  for (unsigned k = 0; k < 64; ++k) bits |= static_cast<std::uint64_t>(test(text[k])) << k;
  return bits;
}

HWY_INLINE std::uint64_t ends_words(const char* text) {
  return bits_where(text, [](char c) { return is_space(c) || c == ':' || c == '#'; });
}
HWY_INLINE std::uint64_t is_equal(const char* text, char character) {
  return bits_where(text, [&](char c) { return c == character; });
}

#else

template <class Test>
HWY_ATTR HWY_INLINE std::uint64_t bits_where(const char* text, const Test& test) {
  const hn::CappedTag<std::uint8_t, 64> lanes;
  constexpr std::size_t count = hn::MaxLanes(hn::CappedTag<std::uint8_t, 64>());
  using Bits = std::conditional_t<count == 16, std::uint16_t,
                                  std::conditional_t<count == 32, std::uint32_t, std::uint64_t> >;
  static_assert(8 * sizeof(Bits) == count);
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < 64; k += count) {
    const auto characters = hn::LoadU(lanes, reinterpret_cast<const std::uint8_t*>(text + k));
    // What StoreMaskBits() writes is read back in one piece, which is fast.
    std::array<std::uint8_t, sizeof(Bits)> bytes;
    hn::StoreMaskBits(lanes, test(lanes, characters), bytes.data());
    bits |= static_cast<std::uint64_t>(std::bit_cast<Bits>(bytes)) << k;
  }
  return bits;
}

HWY_ATTR HWY_INLINE std::uint64_t ends_words(const char* text) {
  return bits_where(text, [](auto lanes, auto characters) HWY_ATTR {
    const auto blank = hn::Eq(characters, hn::Set(lanes, ' '));
    const auto from_tab = hn::Sub(characters, hn::Set(lanes, '\t'));
    const auto other = hn::Eq(hn::Min(from_tab, hn::Set(lanes, '\r' - '\t')), from_tab);
    const auto colon = hn::Eq(characters, hn::Set(lanes, ':'));
    const auto sign = hn::Eq(characters, hn::Set(lanes, '#'));
    return hn::Or(hn::Or(blank, other), hn::Or(colon, sign));
  });
}

HWY_ATTR HWY_INLINE std::uint64_t is_equal(const char* text, char character) {
  return bits_where(text, [character](auto lanes, auto characters) HWY_ATTR {
    return hn::Eq(characters, hn::Set(lanes, static_cast<std::uint8_t>(character)));
  });
}

#endif

/// Writes the places of the bits; those behind the last of them are overwritten by the next call.
HWY_ATTR HWY_INLINE std::uint32_t* write_places(std::uint64_t bits, std::size_t first,
                                                std::uint32_t* to) {
  std::uint32_t* const end = to + std::popcount(bits);
  // A dozen is usual; to stop at the last would be a mispredicted branch.
  do {
    for (int k = 0; k < 12; ++k) {
      *to++ = static_cast<std::uint32_t>(first + static_cast<std::size_t>(std::countr_zero(bits)));
      bits &= bits - 1;
    }
  } while (HWY_UNLIKELY(to < end));
  return end;
}

/// Calls use(characters, place) for every 64 characters. The last are filled up with digits.
template <class Use>
HWY_ATTR HWY_INLINE void for_each_64(const char* text, std::size_t size, const Use& use) {
  std::size_t at = 0;
  for (; at + 64 <= size; at += 64) use(text + at, at);
  std::array<char, 64> rest;
  rest.fill('0');
  std::copy(text + at, text + size, rest.data());
  use(rest.data(), at);
}

HWY_ATTR std::size_t word_ends(const char* text, std::size_t size, std::uint32_t* places) {
  std::uint32_t* to = places;
  for_each_64(text, size, [&](const char* characters, std::size_t at) HWY_ATTR {
    to = write_places(ends_words(characters), at, to);
  });
  return static_cast<std::size_t>(to - places);
}

HWY_ATTR CharacterCounts counts(const char* text, std::size_t size) {
  CharacterCounts found;
  const auto count = [](std::uint64_t bits) {
    return static_cast<std::size_t>(std::popcount(bits));
  };
  for_each_64(text, size, [&](const char* characters, std::size_t) HWY_ATTR {
    found.line_ends += count(is_equal(characters, '\n'));
    found.colons += count(is_equal(characters, ':'));
    found.nuls += count(is_equal(characters, '\0'));
  });
  return found;
}

}  // namespace rampart::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rampart {

std::size_t find_word_ends(std::string_view text, std::uint32_t* places) {
  return RAMPART_DISPATCH(word_ends)(text.data(), text.size(), places);
}

CharacterCounts count_characters(std::string_view text) {
  return RAMPART_DISPATCH(counts)(text.data(), text.size());
}

}  // namespace rampart
#endif
