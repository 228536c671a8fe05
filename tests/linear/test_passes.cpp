#include "linear/passes.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "passes_suite.hpp"

namespace rampart {
namespace {

using testing_support::every_objective;
using testing_support::LinearProblem;
using testing_support::visit_of;

template <unsigned threads>
struct Local {
  static auto make(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                   std::size_t block) {
    return std::make_unique<LocalPasses>(rows, loss, frame, block, threads);
  }
};

/// A visit as it would be sent to another machine: it refers to nothing.
struct Message {
  std::vector<double> w;
  Visit visit;

  explicit Message(const Visit& of) : w(of.w.begin(), of.w.end()), visit(of) { visit.w = {}; }
  [[nodiscard]] Visit received() const {
    Visit copy = visit;
    copy.w = w;
    return copy;
  }
};

/// What another machine would hold: its own copy of a block's rows, and nothing that a visit
/// leaves behind. That follows from the visits that moved centres or gathered rows.
struct Worker {
  Rows x;
  std::vector<std::int8_t> y;
  std::vector<double> weights;
  HingeForm loss;
  Frame frame;

  template <class Compute>
  auto answer(const std::vector<Message>& history, const Compute& compute) const {
    std::vector<float> centres(y.size() * loss.hinges.size(), 0.5F);
    VisitedBlock block;
    for (const Message& before : history) {
      static_cast<void>(block.run(rows(), loss, frame, before.received(), centres));
    }
    return compute(block, rows(), centres);
  }
  [[nodiscard]] BlockRows rows() const { return {x, y, weights}; }
};

/// Workers without state that share no memory with the driver, the last one asked first.
class DistantPasses {
 public:
  DistantPasses(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                std::size_t block) {
    for (std::size_t begin = 0; begin < rows.y.size(); begin += block) {
      const std::size_t end = std::min(begin + block, rows.y.size());
      Worker worker{.x = rows.x.range(begin, end).to_rows(),
                    .y = {rows.y.begin() + static_cast<std::ptrdiff_t>(begin),
                          rows.y.begin() + static_cast<std::ptrdiff_t>(end)},
                    .weights = {},
                    .loss = loss,
                    .frame = frame};
      for (std::size_t n = begin; n < end && !rows.weights.empty(); ++n) {
        worker.weights.push_back(rows.weights[n]);
      }
      workers_.push_back(std::move(worker));
    }
  }

  PassSums run(const Visit& visit) {
    const Message sent(visit);
    const auto sums = add_up<PassSums>([&](const Worker& worker, VisitedBlock& block,
                                           const BlockRows& rows, std::vector<float>& a) {
      return block.run(rows, worker.loss, worker.frame, sent.received(), a);
    });
    if (visit.width_before > 0 || visit.gather > 0) history_.push_back(sent);
    return sums;
  }
  SearchSums search(const Visit& visit, const Direction& line, std::span<const double> thetas) {
    const Message sent(visit);
    return add_up<SearchSums>([&](const Worker& worker, VisitedBlock& block, const BlockRows& rows,
                                  std::vector<float>& a) {
      return block.search(rows, worker.loss, worker.frame, sent.received(), line.w, line.offsets,
                          thetas, a);
    });
  }
  std::vector<double> product(const Visit& visit, std::span<const double> v) {
    const Message sent(visit);
    struct Product {
      std::vector<double> values;
      void add(const Product& other) {
        values.resize(other.values.size(), 0.0);
        for (std::size_t j = 0; j < values.size(); ++j) values[j] += other.values[j];
      }
    };
    return add_up<Product>([&](const Worker& worker, VisitedBlock& block, const BlockRows& rows,
                               std::vector<float>& a) {
             return Product{block.product(rows, worker.loss, worker.frame, sent.received(), v, a)};
           })
        .values;
  }

 private:
  template <class Sums, class Compute>
  Sums add_up(const Compute& compute) const {
    std::vector<Sums> of_block(workers_.size());
    for (std::size_t k = workers_.size(); k-- > 0;) {
      const Worker& worker = workers_[k];
      of_block[k] = worker.answer(
          history_, [&](VisitedBlock& block, const BlockRows& rows, std::vector<float>& a) {
            return compute(worker, block, rows, a);
          });
    }
    Sums total;
    for (const Sums& one : of_block) total.add(one);
    return total;
  }

  std::vector<Worker> workers_;
  std::vector<Message> history_;  // visits that moved centres or gathered rows
};
static_assert(Passes<DistantPasses>);

struct Distant {
  static auto make(const BlockRows& rows, const HingeForm& loss, const Frame& frame,
                   std::size_t block) {
    return std::make_unique<DistantPasses>(rows, loss, frame, block);
  }
};

using BackEnds = testing::Types<Local<1>, Local<2>, Local<3>, Distant>;
INSTANTIATE_TYPED_TEST_SUITE_P(Passes, PassesSuite, BackEnds);

TEST(Passes, BlocksOfOneRunAreUsedForSomethingElseToo) {
  const LinearProblem problem(100, 3, {}, 1);
  LocalPasses passes(problem.rows(), problem.loss, problem.frame, 8, 2);
  std::vector<int> used(problem.size(), 0);
  passes.use_blocks_of_next_run([&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) ++used[n];
  });
  const std::vector<double> w(3, 0.1);
  const PassSums with = passes.run({.w = w});
  EXPECT_EQ(used, std::vector<int>(problem.size(), 1));
  EXPECT_EQ(passes.run({.w = w}).smooth, with.smooth);
  EXPECT_EQ(used, std::vector<int>(problem.size(), 1)) << "in the next run only";
}

TEST(Passes, RowsOfABlockDependOnTheWidthOfARowAlone) {
  EXPECT_EQ(rows_per_block(0), 65536U);
  EXPECT_EQ(rows_per_block(1e9), 1024U);
  std::size_t last = 65536;
  for (double stored = 1; stored < 1e4; stored *= 1.3) {
    const std::size_t rows = rows_per_block(stored);
    EXPECT_LE(rows, last);
    last = rows;
  }
}

TEST(Passes, FlatSetsOfScoresAreThoseOfAVisitThere) {
  LinearProblem problem(130, 4, every_objective().front(), 3);
  const LinearPoint at = problem.any_point(2);
  std::vector<double> scores;
  for (std::size_t n = 0; n < problem.size(); ++n) scores.push_back(problem.score(n, at.w));
  problem.set_plain_frame();
  const auto sums_after = [&](bool by_scores) {
    LocalPasses passes(problem.rows(), problem.loss, problem.frame, 50, 1);
    if (by_scores) {
      passes.set_flats(scores, at.offsets);
    } else {
      Visit visit = visit_of(at, 1);
      visit.width_before = 1e300;
      visit.new_flats = true;
      static_cast<void>(passes.run(visit));
    }
    const LinearPoint zero{std::vector<double>(4, 0.0), {}};
    const PassSums sums = passes.run(visit_of(zero, 1));
    EXPECT_GT(sums.flat, 0);
    return std::vector{sums.smooth, sums.convex, sums.flat, sums.changed, sums.pull[0]};
  };
  EXPECT_EQ(sums_after(true), sums_after(false));
}

}  // namespace
}  // namespace rampart
