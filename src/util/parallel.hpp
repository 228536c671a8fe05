#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

namespace rampart {

/// A task of a parallel loop, by its number. Refers to a callable, which must outlive it.
class IndexedTask {
 public:
  template <class Callable>
  explicit IndexedTask(const Callable& callable)
      : callable_(&callable), call_([](const void* object, std::size_t k) {
          (*static_cast<const Callable*>(object))(k);
        }) {}

  void operator()(std::size_t k) const { call_(callable_, k); }

 private:
  const void* callable_;
  void (*call_)(const void*, std::size_t);
};

/// Runs the tasks 0 … count − 1, each once, at most `threads` at a time (0: as many as the machine
/// has); the calling thread is one of them. Tasks may call it in turn.
///
/// What the caller did before is visible to the tasks, and what they did to the caller afterwards.
/// If tasks throw, one of their exceptions is thrown here when no task is running any more; tasks
/// that have not begun by then may be left out.
///
/// RAMPART_PARALLEL decides at build time which implementation run_tasks() is.
void run_tasks(std::size_t count, unsigned threads, IndexedTask task);

/// The implementations. That with TBB is there only if the library is built with it.
void run_tasks_by_tbb(std::size_t count, unsigned threads, IndexedTask task);
void run_tasks_by_threads(std::size_t count, unsigned threads, IndexedTask task);

/// Calls body(begin, end) for consecutive blocks of [0, size), at most `threads` at a time
/// (0: as many as the machine has).
///
/// The blocks do not depend on the number of threads, so a body that writes only its own block
/// gives the same bits on any machine.
template <class Body>
void parallel_blocks(std::size_t size, std::size_t block, unsigned threads, const Body& body,
                     void (*run)(std::size_t, unsigned, IndexedTask) = run_tasks) {
  const std::size_t blocks = size / block + (size % block != 0);
  const auto task = [&](std::size_t k) { body(k * block, std::min(size, (k + 1) * block)); };
  if (blocks > 1 && threads != 1) return run(blocks, threads, IndexedTask(task));
  for (std::size_t k = 0; k < blocks; ++k) task(k);
}

/// Calls merge(part) with part = compute(begin, end) of consecutive blocks of [0, size), in the
/// order of the blocks, in the calling thread. Parts are computed at most `threads` at a time (0:
/// as many as the machine has), and no more than twice that many exist at once.
///
/// Neither blocks nor the order of merging depend on the number of threads: sums have the same bits
/// on any machine.
template <class Compute, class Merge>
void blocks_in_order(std::size_t size, std::size_t block, unsigned threads, const Compute& compute,
                     const Merge& merge) {
  using Part = decltype(compute(std::size_t{}, std::size_t{}));
  const std::size_t at_once = threads != 0 ? threads : std::thread::hardware_concurrency();
  const std::size_t rows = block * 2 * std::max<std::size_t>(at_once, 1);
  for (std::size_t first = 0; first < size; first += rows) {
    const std::size_t here = std::min(rows, size - first);
    if (threads == 1) {
      for (std::size_t k = 0; k < here; k += block) {
        merge(compute(first + k, first + std::min(here, k + block)));
      }
      continue;
    }
    std::vector<std::optional<Part>> parts(here / block + (here % block != 0));
    parallel_blocks(here, block, threads, [&](std::size_t begin, std::size_t end) {
      parts[begin / block].emplace(compute(first + begin, first + end));
    });
    for (std::optional<Part>& part : parts) merge(std::move(*part));
  }
}

}  // namespace rampart
