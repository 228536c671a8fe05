// How fast is text read into a data set? CSV of 20 columns with numbers of 6 and of 17 digits, and
// LIBSVM of 27 stored values a row, by one thread and by two; the files are in the page cache. What
// is read is checked, to the last bit, before it is timed.

#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "rampart/io.hpp"

namespace rampart {
namespace {

constexpr std::size_t rows = 300'000;

struct Text {
  std::string path;
  std::vector<double> values;  // that the file holds
  std::size_t bytes = 0;

  Text() = default;
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  ~Text() { std::filesystem::remove(path); }
};

enum Kind { csv_of_6_digits, csv_of_17_digits, libsvm };

// One file of each kind, made when it is first needed.
const Text& text_of(Kind kind) {
  static std::array<Text, 3> all;
  Text& text = all[kind];
  if (text.bytes > 0) return text;
  const auto name = "rampart-bench-" + std::to_string(::getpid()) + "-" + std::to_string(kind);
  text.path = (std::filesystem::temp_directory_path() / name).string();
  std::ofstream out(text.path, std::ios::binary);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::array<char, 64> number;
  std::string line;
  for (std::size_t n = 0; n < rows; ++n) {
    line = kind == libsvm ? (n % 2 == 0 ? "+1" : "-1") : "";
    std::size_t index = 0;
    for (std::size_t j = 0; j < (kind == libsvm ? 27U : 20U); ++j) {
      if (kind == libsvm) line += ' ' + std::to_string(index += 1 + random() % 70'000) + ':';
      std::snprintf(number.data(), number.size(), kind == csv_of_17_digits ? "%.17g" : "%.6g",
                    normal(random));
      text.values.push_back(std::stod(number.data()));
      line += number.data();
      if (kind != libsvm) line += ',';
    }
    if (kind != libsvm) line += n % 2 == 0 ? "1" : "-1";
    out << line << '\n';
    text.bytes += line.size() + 1;
  }
  return text;
}

bool is_right(const Dataset& data, const Text& text) {
  std::size_t k = 0;
  for (std::size_t n = 0; n < data.size(); ++n) {
    bool equal = data.y[n] == (n % 2 == 0 ? 1 : -1);
    data.x.for_each(n, [&](std::size_t, double value) {
      equal = equal && k < text.values.size() && value == text.values[k];
      ++k;
    });
    if (!equal) return false;
  }
  return k == text.values.size();
}

void read(benchmark::State& state) {
  const Text& text = text_of(static_cast<Kind>(state.range(0)));
  const ReadOptions options{.threads = static_cast<unsigned>(state.range(1))};
  if (!is_right(read_dataset(text.path, options), text)) {
    state.SkipWithError("wrong values");
    return;
  }
  for ([[maybe_unused]] auto iteration : state) {
    benchmark::DoNotOptimize(read_dataset(text.path, options));
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(text.bytes) * state.iterations());
  state.SetItemsProcessed(static_cast<std::int64_t>(text.values.size()) * state.iterations());
}
BENCHMARK(read)
    ->ArgNames({"kind", "threads"})
    ->ArgsProduct({{csv_of_6_digits, csv_of_17_digits, libsvm}, {1, 2}})
    ->UseRealTime()
    ->MeasureProcessCPUTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace rampart
