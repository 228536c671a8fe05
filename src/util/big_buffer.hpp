#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace rampart {

/// Uninitialised numbers on cache-line boundaries. What is large lies on huge pages where the
/// system has them: touching gigabytes for the first time otherwise costs more than filling them.
/// Memory that is never touched is never used.
template <class T>
class BigBuffer {
 public:
  BigBuffer() = default;
  explicit BigBuffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T) / 2) throw std::bad_alloc();
    const std::size_t boundary = size * sizeof(T) >= huge_page ? huge_page : cache_line;
    const std::size_t bytes = (size * sizeof(T) + boundary - 1) / boundary * boundary;
    values_.reset(static_cast<T*>(std::aligned_alloc(boundary, bytes)));
    if (values_ == nullptr) throw std::bad_alloc();
#if defined(__linux__)
    if (boundary == huge_page) madvise(values_.get(), bytes, MADV_HUGEPAGE);  // a wish
#endif
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T* data() noexcept { return values_.get(); }
  [[nodiscard]] const T* data() const noexcept { return values_.get(); }

 private:
  static constexpr std::size_t cache_line = 64;
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<T, Free> values_;
};

}  // namespace rampart
