#include "render/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string_view>

#include "files/interrupts.hpp"
#include "render/output.hpp"
#include "util/text.hpp"

namespace rampart::tool {
namespace {

constexpr auto before_first = std::chrono::seconds(1);
constexpr std::size_t rows_per_batch = 4096;
constexpr std::size_t bar_width = 24;
constexpr auto between = std::chrono::milliseconds(100);

bool terminal_can_rewrite_a_line() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

}  // namespace

Progress::Progress(bool quiet)
    : quiet_(quiet),
      enabled_(!quiet && terminal_can_rewrite_a_line()),
      next_(Clock::now() + before_first) {}

Progress::~Progress() { clear(); }

bool Progress::due() { return enabled_ && Clock::now() >= next_; }

void Progress::show(const std::string& line) {
  if (!due()) return;
  progress_is_shown(true);
  std::fprintf(stderr, "\r\033[K%s", harmless_line(line).c_str());
  std::fflush(stderr);
  shown_ = true;
  next_ = Clock::now() + between;
}

void Progress::clear() {
  if (shown_) std::fputs("\r\033[K", stderr);
  shown_ = false;
  progress_is_shown(false);
}

void Progress::if_interrupted(const std::string& line) const {
  if (!quiet_) if_interrupted_say("interrupted: " + line);
}

void Progress::bar(const std::string& what, std::size_t done, std::size_t of, std::size_t before) {
  if (!due() || of == 0) return;
  const double share = static_cast<double>(done) / static_cast<double>(of);
  const auto filled = static_cast<std::size_t>(share * bar_width);
  std::string line = fmt::format("{} [{}{}] {} of {}", what, std::string(filled, '#'),
                                 std::string(bar_width - filled, '.'), done, of);
  if (done > before) {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    const double left =
        seconds / static_cast<double>(done - before) * static_cast<double>(of - done);
    line += left < 90 ? fmt::format(", {:.0f} s left", left)
                      : fmt::format(", {:.0f} min left", left / 60);
  }
  show(line);
}

std::function<void(std::uint64_t)> Progress::reading(const std::string& file) {
  return [this, name = printable(file)](std::uint64_t bytes) {
    if (due()) show(fmt::format("reading {}: {} MB", name, bytes >> 20));
  };
}

std::vector<Answer> Progress::answers(const Predictor& predictor, RowsView x) {
  std::vector<Answer> answers;
  answers.reserve(x.size());
  while (answers.size() < x.size()) {
    const std::size_t end = std::min(x.size(), answers.size() + rows_per_batch);
    const std::vector<Answer> found = predictor.answers(x.range(answers.size(), end));
    answers.insert(answers.end(), found.begin(), found.end());
    if (due()) show(fmt::format("{} of {} rows", answers.size(), x.size()));
  }
  return answers;
}

}  // namespace rampart::tool
