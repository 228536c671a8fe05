#include "data/plain_lines.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "util/eight_digits.hpp"
#include "util/plain_number.hpp"

namespace rampart {
namespace {

/// 10ᵏ and −10ᵏ.
constexpr std::array<std::array<double, 9>, 2> signed_powers = {
    {{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8},
     {-1e0, -1e1, -1e2, -1e3, -1e4, -1e5, -1e6, -1e7, -1e8}}};

/// A number of another form than "-0.25"; NaN if it is none. Not inlined: it would take the
/// registers of those.
[[gnu::noinline]] double other_number(const char* at, const char* end) {
  double value = 0;
  return take_number(at, end, value) == end ? value : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::size_t parse_plain_line(const char* text, std::size_t begin, const std::uint32_t* places,
                             const LibsvmRules& rules, LibsvmLine& found, std::uint32_t* indices,
                             double* values) noexcept {
  const std::uint32_t* place = places;
  const char* end = text + *place++;
  if (end == text + begin || *end > ' ') return 0;
  found.label = {text + begin, end};
  EightDigits digits;
  std::size_t count = 0;
  std::uint64_t last = 0;
  // Of the places' characters white space is what comes up to the blank.
  // Branches are for what lines have in common; what differs from number to number is computed.
  while (*end != '\n') {
    const char* const first = end + 1;
    const char* const colon = text + *place++;
    if (*colon != ':') {
      if (colon != first || *colon > ' ') return 0;
      end = colon;  // white space after white space, as before a line end
      continue;
    }
    end = text + *place++;  // there is one: a line end follows
    const auto length = static_cast<std::size_t>(colon - first);
    if (length - 1 > 7) return 0;
    const std::uint64_t index = digits.take(first, length);

    const bool negative = colon[1] == '-';
    const char* const number = colon + 1 + negative;
    const auto behind = static_cast<std::size_t>(end - number) - 2;
    double value = 0;
    bool is_zero = false;
    if (number[1] == '.' && behind - 1 <= 7) {
      // As in take_plain_number(): both are whole numbers of at most 53 bits.
      const auto before = static_cast<std::uint64_t>(static_cast<unsigned char>(*number - '0'));
      if (before > 9) return 0;
      const std::uint64_t m =
          before * whole_powers_of_ten[behind] + digits.take(number + 2, behind);
      value = static_cast<double>(static_cast<std::int64_t>(m)) / signed_powers[negative][behind];
      is_zero = m == 0;
    } else {
      value = other_number(colon + 1, end);
      if (value != value) return 0;
      is_zero = value == 0;
    }
    if (index <= last || *end > ' ') return 0;
    last = index;
    indices[count] = static_cast<std::uint32_t>(index - 1);
    values[count] = value;
    count += !is_zero;
  }
  if (!digits.all() || last > rules.expected.value_or(most_columns) || last > most_columns)
    return 0;
  found.row = {.count = count, .width = static_cast<std::size_t>(last)};
  return static_cast<std::size_t>(place - places);
}

}  // namespace rampart
