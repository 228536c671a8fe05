#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

namespace rampart {

/// Results of calls of one function, in their order, which a thread of its own computes a few ahead
/// of whoever takes them.
template <class Result>
class Ahead {
 public:
  /// `is_last`: whether a result ends them. Then, and after an exception, the function is not
  /// called again. `most`: how many results may wait; 0: there is no thread, and next() calls the
  /// function.
  Ahead(std::function<Result()> compute, std::function<bool(const Result&)> is_last,
        std::size_t most)
      : compute_(std::move(compute)), is_last_(std::move(is_last)), most_(most) {
    if (most_ == 0) return;
    try {
      thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
    } catch (const std::system_error&) {
      most_ = 0;  // the system gives no thread
    }
  }

  /// The next result, or the exception of the call that would have given it. Not to be called after
  /// either the last result or an exception.
  [[nodiscard]] Result next() {
    if (most_ == 0) return compute_();
    std::unique_lock lock(guard_);
    changed_.wait(lock, [&] { return !waiting_.empty(); });
    Step step = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    if (step.error) std::rethrow_exception(step.error);
    return std::move(*step.result);
  }

 private:
  struct Step {
    std::optional<Result> result = std::nullopt;
    std::exception_ptr error = nullptr;
  };

  void run(const std::stop_token& stop) {
    for (bool last = false; !last;) {
      Step step;
      try {
        step.result.emplace(compute_());
        last = is_last_(*step.result);
      } catch (...) {
        step.error = std::current_exception();
        last = true;
      }
      std::unique_lock lock(guard_);
      if (!changed_.wait(lock, stop, [&] { return waiting_.size() < most_; })) return;
      waiting_.push_back(std::move(step));
      changed_.notify_all();
    }
  }

  std::function<Result()> compute_;
  std::function<bool(const Result&)> is_last_;
  std::size_t most_;
  std::mutex guard_;
  std::condition_variable_any changed_;
  std::deque<Step> waiting_;  // guarded
  std::jthread thread_;       // the last member: it uses the others
};

}  // namespace rampart
