#pragma once

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <span>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace rampart {

/// Runs `unpack` in a thread of its own, a bounded number of steps ahead of take().
class UnpackAhead {
 public:
  /// `unpack` replaces the bytes by the next ones, at most as many as there are; none at the end.
  /// Its result is how much of the packed file has been read by then. What it throws, take() throws
  /// after the bytes before it. Throws std::system_error if there is no thread to be had.
  explicit UnpackAhead(std::function<std::uint64_t(std::vector<char>&)> unpack)
      : unpack_(std::move(unpack)), thread_([this](const std::stop_token& stop) { run(stop); }) {}

  struct Taken {
    std::size_t count;           ///< of bytes; 0: the end
    std::uint64_t packed_bytes;  ///< read for these and those before
  };

  /// Fills some or all of the buffer.
  [[nodiscard]] Taken take(std::span<char> buffer) {
    if (taken_ == current_.bytes.size()) next_step();
    const std::size_t count = std::min(buffer.size(), current_.bytes.size() - taken_);
    std::copy_n(current_.bytes.data() + taken_, count, buffer.data());
    taken_ += count;
    return {count, current_.packed_bytes};
  }

 private:
  static constexpr std::size_t step_bytes = std::size_t{1} << 18U;
  static constexpr std::size_t most_steps = 32;

  struct Step {
    std::vector<char> bytes;
    std::uint64_t packed_bytes = 0;
    std::exception_ptr error = nullptr;
  };

  void next_step() {
    std::unique_lock lock(guard_);
    changed_.wait(lock, [&] { return !steps_.empty(); });
    if (steps_.front().error) std::rethrow_exception(steps_.front().error);
    current_ = std::move(steps_.front());
    taken_ = 0;
    // The last step stays: the end is the end, however often it is asked for.
    if (!current_.bytes.empty()) steps_.pop_front();
    changed_.notify_all();
  }

  void run(const std::stop_token& stop) {
    for (bool last = false; !last;) {
      Step step{.bytes = std::vector<char>(step_bytes)};
      try {
        step.packed_bytes = unpack_(step.bytes);
      } catch (...) {
        step.error = std::current_exception();
      }
      last = step.error != nullptr || step.bytes.empty();
      std::unique_lock lock(guard_);
      if (!changed_.wait(lock, stop, [&] { return steps_.size() < most_steps; })) return;
      steps_.push_back(std::move(step));
      changed_.notify_all();
    }
  }

  std::function<std::uint64_t(std::vector<char>&)> unpack_;
  std::mutex guard_;
  std::condition_variable_any changed_;
  std::deque<Step> steps_;  // guarded
  Step current_;            // of the caller of take()
  std::size_t taken_ = 0;
  std::jthread thread_;  // the last member: it uses the others
};

}  // namespace rampart
