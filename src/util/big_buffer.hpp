#pragma once

#include <cstddef>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>

namespace rampart {

/// An array of numbers that are not initialised, aligned to cache lines. Memory that is never
/// written takes no physical memory.
///
/// Huge pages are not requested: they halve the cost of first writes where the system has them
/// ready, and multiply it on virtual machines that returned them to their host
/// (docs/performance.md).
template <class T>
class BigBuffer {
 public:
  BigBuffer() = default;
  explicit BigBuffer(std::size_t size) : size_(size) {
    if (size == 0) return;
    if (size > std::numeric_limits<std::size_t>::max() / sizeof(T) / 2) throw std::bad_alloc();
    const std::size_t bytes = (size * sizeof(T) + cache_line - 1) / cache_line * cache_line;
    values_.reset(static_cast<T*>(std::aligned_alloc(cache_line, bytes)));
    if (values_ == nullptr) throw std::bad_alloc();
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] T* data() noexcept { return values_.get(); }
  [[nodiscard]] const T* data() const noexcept { return values_.get(); }

 private:
  static constexpr std::size_t cache_line = 64;
  struct Free {
    void operator()(T* values) const { std::free(values); }
  };
  std::size_t size_ = 0;
  std::unique_ptr<T, Free> values_;
};

}  // namespace rampart
