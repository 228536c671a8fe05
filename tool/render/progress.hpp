#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "rampart/model.hpp"

namespace rampart::tool {

/// One line on the terminal that says how far the work has come. Nothing appears before a second
/// has passed, nor where standard error is not a terminal.
class Progress {
 public:
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Whether a line would be shown now: ask before composing one.
  [[nodiscard]] bool due();
  void show(const std::string& line);
  void clear();

  /// What Ctrl-C says from now on, unless all is quiet: what was kept, what would have kept more.
  void if_interrupted(const std::string& line) const;

  /// A bar with the time left, for work that comes in many equal parts. The first
  /// `before` parts were done by an earlier run: they took no time.
  void bar(const std::string& what, std::size_t done, std::size_t of, std::size_t before = 0);

  /// A callback for the reader of this file that shows its progress. Must not outlive this object.
  [[nodiscard]] std::function<void(std::uint64_t bytes)> reading(const std::string& file);

  /// f of every row; shows progress.
  [[nodiscard]] std::vector<Answer> answers(const Predictor& predictor, RowsView x);

 private:
  using Clock = std::chrono::steady_clock;
  bool quiet_;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point next_;
};

}  // namespace rampart::tool
