#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/partitioner.h>
#include <oneapi/tbb/task_arena.h>

#include "util/parallel.hpp"

namespace rampart {

void run_tasks_by_tbb(std::size_t count, unsigned threads, IndexedTask task) {
  // TBB has no more threads than the machine, and warns on standard error if asked for more.
  const auto most = static_cast<unsigned>(tbb::info::default_concurrency());
  tbb::task_arena arena(static_cast<int>(threads == 0 ? most : std::min(threads, most)));
  arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::size_t>(0, count, 1),
        [&](const tbb::blocked_range<std::size_t>& range) {
          for (std::size_t k = range.begin(); k != range.end(); ++k) task(k);
        },
        tbb::simple_partitioner());
  });
}

}  // namespace rampart
