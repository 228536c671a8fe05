// Rows of files are read as seldom as possible, and to the same result as rows in memory.

#include "train/first_reading.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <new>
#include <random>
#include <string>
#include <variant>
#include <vector>

#include "linear/linear_solver.hpp"
#include "model/fingerprint.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "rampart/rows_file.hpp"
#include "rampart/train.hpp"

namespace rampart {
namespace {

constexpr std::size_t many_rows = 40'960;  // of which some are trained on first
constexpr std::size_t columns = 40;

/// Labels that a plane explains but for noise. The rows are sorted by class.
Dataset noisy_plane(std::size_t rows) {
  std::mt19937_64 random(7);
  const auto number = [&] { return static_cast<double>(random() % 2001) / 1000 - 1; };
  Dataset data;
  std::vector<double> values;
  for (std::size_t n = 0; n < rows; ++n) {
    const int y = n < rows / 2 ? -1 : 1;
    for (std::size_t j = 0; j < columns; ++j) values.push_back(number() + (j < 3 ? 0.3 * y : 0));
    data.y.push_back(static_cast<std::int8_t>(y));
  }
  values[5] = 0;
  data.x = Rows::dense(columns, std::move(values));
  data.classes = {"-1", "1"};
  return data;
}

/// Rows of which only those may be touched that a reader has announced last: all others would end
/// the test. Counts how often each row is announced to be read. For one thread.
class GuardedRows {
 public:
  explicit GuardedRows(const Rows& rows)
      : row_bytes_(rows.columns() * sizeof(double)),
        bytes_(rows.size() * row_bytes_),
        read(rows.size(), 0) {
    void* const map =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) throw std::bad_alloc();
    map_ = static_cast<char*>(map);
    auto* const values = static_cast<double*>(map);
    for (std::size_t n = 0; n < rows.size(); ++n) {
      std::ranges::copy(rows.dense_row(n), values + n * rows.columns());
    }
    hide_all();
    view_ = RowsView::dense(std::span<const double>(values, rows.size() * rows.columns()),
                            rows.size(), rows.columns());
    keeper_ = {.ensure_readable =
                   [this](std::size_t begin, std::size_t end) {
                     hide_all();
                     show(begin, end);
                     for (std::size_t n = begin; n < end; ++n) ++read[n];
                   },
               .will_need =
                   [this](std::size_t begin, std::size_t end) {
                     if (!picking_) hide_all();
                     picking_ = true;
                     show(begin, end);
                   },
               .dont_need = [this](std::size_t, std::size_t) { hide_all(); }};
  }
  ~GuardedRows() { ::munmap(map_, bytes_); }
  GuardedRows(const GuardedRows&) = delete;
  GuardedRows& operator=(const GuardedRows&) = delete;

  [[nodiscard]] RowsView view() const { return view_.kept_by(keeper_); }

 private:
  void hide_all() {
    picking_ = false;
    ::mprotect(map_, bytes_, PROT_NONE);
  }
  void show(std::size_t begin, std::size_t end) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t from = begin * row_bytes_ / page * page;
    ::mprotect(map_ + from, end * row_bytes_ - from, PROT_READ);
  }

  std::size_t row_bytes_;
  std::size_t bytes_;
  char* map_ = nullptr;
  RowsView view_;
  RowsKeeper keeper_;
  bool picking_ = false;  // whether single rows are announced

 public:
  std::vector<std::size_t> read;
};

TrainOptions linear_options() {
  TrainOptions options;
  options.representation.kernel.type = KernelType::linear;
  options.resources.threads = 1;
  return options;
}

TEST(FirstReading, RowsOfFilesAreReadOnceBesideThePassesOfTheSolver) {
  const Dataset data = noisy_plane(many_rows);
  for (const ScalingKind scaling : {ScalingKind::none, ScalingKind::minmax}) {
    TrainOptions options = linear_options();
    options.representation.scaling = scaling;
    const Trained in_memory = train(data, options);
    GuardedRows guarded(data.x);
    Problem problem(data);
    problem.x = guarded.view();
    const Trained trained = train(problem, options);
    ASSERT_EQ(trained.report.status, TrainStatus::converged);
    const std::uint64_t passes = std::get<LinearReport>(trained.report.solver).passes;
    EXPECT_EQ(std::ranges::count(guarded.read, passes + 1), std::ssize(guarded.read))
        << passes << " passes, the first row is read " << guarded.read.front() << " times";
    EXPECT_EQ(to_json(trained.model), to_json(in_memory.model));
    EXPECT_EQ(trained.scores, in_memory.scores);
  }
}

// The deviations need the means, and so a second reading.
TEST(FirstReading, StandardScalingTakesOneMore) {
  const Dataset data = noisy_plane(many_rows);
  TrainOptions options = linear_options();
  options.representation.scaling = ScalingKind::standard;
  const Trained in_memory = train(data, options);
  GuardedRows guarded(data.x);
  Problem problem(data);
  problem.x = guarded.view();
  const Trained trained = train(problem, options);
  const std::uint64_t passes = std::get<LinearReport>(trained.report.solver).passes;
  EXPECT_EQ(guarded.read.front(), passes + 2);
  EXPECT_EQ(to_json(trained.model), to_json(in_memory.model));
}

TEST(FirstReading, FindsTheSameOnAnyNumberOfThreads) {
  const Dataset data = noisy_plane(many_rows);
  const RowsKeeper nobody;
  Problem problem(data);
  problem.x = RowsView(data.x).kept_by(nobody);
  const FirstReading::Wanted all{.fingerprint = true, .sample = true, .filled = true};
  for (const unsigned threads : {1U, 2U, 3U}) {
    const FirstReading reading = read_first(problem, all, threads);
    EXPECT_EQ(reading.fingerprint, fingerprint_of(data));
    EXPECT_EQ(reading.survey.sum, Survey(data.x).sum);
    std::size_t filled = 0;
    for (std::size_t n = 0; n < data.size(); ++n) {
      filled += columns - static_cast<std::size_t>(std::ranges::count(data.x.dense_row(n), 0.0));
    }
    EXPECT_EQ(reading.filled, filled);
    std::vector<std::size_t> which;
    for (std::size_t n = 0; n < data.size(); n += sample_step(data.size(), columns)) {
      which.push_back(n);
    }
    ASSERT_TRUE(reading.sample);
    EXPECT_EQ(*reading.sample, data.x.subset(which));
  }
  EXPECT_FALSE(read_first(data, all, 1).sample) << "a copy of rows that are in memory";
}

TEST(FirstReading, NamesTheFirstDamageOnAnyNumberOfThreads) {
  const std::string path =
      testing::TempDir() + "rampart_" + std::to_string(::getpid()) + "_damaged.rows";
  write_rows_file(noisy_plane(200'000), path);
  for (const int block : {3, 20, 50}) {  // of which two are in the last block of rows
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(4096 + (block << 20) + 1000).put('!');
  }
  for (const unsigned threads : {1U, 2U, 3U}) {
    const MappedDataset mapped(path, {.check_now = false});
    TrainOptions options = linear_options();
    options.resources.threads = threads;
    try {
      static_cast<void>(train(mapped.problem(), options));
      FAIL() << "trained on damaged rows";
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("block 4 of its values has a wrong checksum"),
                std::string::npos)
          << error.what();
    }
  }
  std::remove(path.c_str());
}

}  // namespace
}  // namespace rampart
