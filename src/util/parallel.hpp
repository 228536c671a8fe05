#pragma once

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace rampart {

/// Calls body(begin, end) for consecutive blocks of [0, size), at most `threads` at a time
/// (0: as many as the machine has).
///
/// The blocks do not depend on the number of threads, so a body that writes only its own block
/// gives the same bits on any machine.
template <class Body>
void parallel_blocks(std::size_t size, std::size_t block, unsigned threads, const Body& body) {
  const std::size_t blocks = (size + block - 1) / block;
  // TBB already orders what happens before, in and after the loop. The two counters say so once
  // more, in terms that the thread sanitizer understands: Debian's TBB is built without it.
  std::atomic<std::size_t> begun{0};
  std::atomic<std::size_t> done{0};
  const auto run = [&](std::size_t k) {
    static_cast<void>(begun.load(std::memory_order_acquire));
    body(k * block, std::min(size, (k + 1) * block));
    done.fetch_add(1, std::memory_order_release);
  };
  if (blocks < 2 || threads == 1) {
    for (std::size_t k = 0; k < blocks; ++k) run(k);
    return;
  }
  tbb::task_arena arena(threads == 0 ? tbb::task_arena::automatic
                                     : static_cast<int>(std::min(threads, 1024U)));
  begun.store(1, std::memory_order_release);
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, blocks, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t k = range.begin(); k != range.end(); ++k) run(k);
        },
        tbb::simple_partitioner());
  });
  static_cast<void>(done.load(std::memory_order_acquire));
}

}  // namespace rampart
