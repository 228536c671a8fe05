#include "data/reserve_ahead.hpp"

#include <sys/mman.h>
#include <cstdint>

namespace rampart {

namespace {

/// Advises on the whole pages of this size inside; without effect where the system cannot do it.
void advise(const void* begin, std::size_t bytes, std::uintptr_t page, int advice) noexcept {
  const auto address = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (address + page - 1) / page * page;
  const std::uintptr_t last = (address + bytes) / page * page;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, advice);
}

}  // namespace

void touch_memory([[maybe_unused]] const void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_POPULATE_WRITE
  advise(begin, bytes, 4096, MADV_POPULATE_WRITE);
#endif
}

void prefer_large_pages([[maybe_unused]] const void* begin,
                        [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t worthwhile = std::size_t{32} << 20;
  if (bytes >= worthwhile) advise(begin, bytes, std::uintptr_t{2} << 20, MADV_HUGEPAGE);
#endif
}

}  // namespace rampart
