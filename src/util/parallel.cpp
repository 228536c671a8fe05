#include "util/parallel.hpp"

#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rampart {

void run_tasks_by_threads(std::size_t count, unsigned threads, IndexedTask task) {
  std::atomic<std::size_t> next{0};
  std::mutex guard;
  std::exception_ptr error;  // the first; guarded
  const auto work = [&] {
    try {
      for (std::size_t k = next++; k < count; k = next++) task(k);
    } catch (...) {
      next = count;  // no further task begins
      const std::lock_guard lock(guard);
      if (!error) error = std::current_exception();
    }
  };
  const std::size_t wanted =
      threads == 0 ? std::thread::hardware_concurrency() : std::min(threads, 1024U);
  {
    std::vector<std::jthread> helpers;
    try {
      while (helpers.size() + 1 < std::min(wanted, count)) helpers.emplace_back(work);
    } catch (const std::system_error&) {
      // The system gives no more threads: those there are do the work.
    }
    work();
  }  // waits for the helpers
  if (error) std::rethrow_exception(error);
}

void run_tasks(std::size_t count, unsigned threads, IndexedTask task) {
#ifdef RAMPART_WITH_TBB
  run_tasks_by_tbb(count, threads, task);
#else
  run_tasks_by_threads(count, threads, task);
#endif
}

}  // namespace rampart
