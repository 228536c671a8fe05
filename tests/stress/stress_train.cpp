// Trains on many random sets, ordinary and hostile, and says which trainings break an invariant:
//
//   stress_train [RUNS] [FIRST]     runs FIRST, FIRST + 1, …; each depends on its number alone

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include "any_training.hpp"

namespace {

using namespace rampart;

std::string in_words(const stress::Training& training) {
  const TrainOptions& options = training.options;
  const auto* gamma = std::get_if<double>(&options.representation.kernel.gamma);
  return fmt::format(
      "{} rows x {}{}, {}, {} kernel (gamma {}, coef0 {}, degree {}), C {}, d {}, mu {}, tolerance "
      "{}, scale {}{}",
      training.data.size(), training.data.x.columns(), training.data.x.is_dense() ? "" : " sparse",
      to_string(options.objective.loss), to_string(options.representation.kernel.type),
      gamma != nullptr ? *gamma : -1, options.representation.kernel.coef0,
      options.representation.kernel.degree, options.objective.C,
      options.objective.costs.reject_positive, options.objective.mu, options.exactness.tolerance,
      to_string(options.representation.scaling), training.data.weights.empty() ? "" : ", weighted");
}

}  // namespace

int main(int argc, char** argv) {
  constexpr std::size_t most_rows = 40;
  const std::uint64_t runs = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 300;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  std::uint64_t failed = 0;
  std::uint64_t refused = 0;
  for (std::uint64_t run = first; run < first + runs; ++run) {
    std::mt19937_64 random(run);
    const auto choose = [&](std::uint64_t below) { return random() % below; };
    const stress::Training training = stress::any_training(choose, most_rows);
    const stress::Outcome outcome = stress::examine(training);
    refused += outcome.refused ? 1 : 0;
    if (outcome.faults.empty()) continue;
    ++failed;
    std::printf("run %llu: %s\n", static_cast<unsigned long long>(run), in_words(training).c_str());
    for (const std::string& fault : outcome.faults) std::printf("  %s\n", fault.c_str());
  }
  std::printf("%llu were refused\n", static_cast<unsigned long long>(refused));
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(runs - failed),
              static_cast<unsigned long long>(failed));
  const bool tested_enough = runs < 100 || refused < runs / 4;  // refusing most runs must not pass
  return failed == 0 && tested_enough ? 0 : 1;
}
