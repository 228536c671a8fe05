// Shows how far a training is, and ends it early: the observer returns false, and train() returns
// the best model so far with the status `cancelled`.
//
//     progress_and_cancel ROUNDS

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <vector>

#include <rampart/rampart.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: progress_and_cancel ROUNDS\n";
    return 2;
  }
  const std::size_t most_rounds = std::strtoul(argv[1], nullptr, 10);
  try {
    // A spiral of two arms, some of whose labels are wrong.
    std::vector<double> features;
    std::vector<std::int8_t> labels;
    for (int n = 0; n < 600; ++n) {
      const double angle = 0.02 * n;
      const double side = n % 2 == 0 ? 1 : -1;
      features.push_back(side * angle * std::cos(angle));
      features.push_back(side * angle * std::sin(angle));
      labels.push_back(static_cast<std::int8_t>(n % 17 == 0 ? -side : side));
    }
    const rampart::Problem data(rampart::RowsView::dense(features, labels.size(), 2), labels);

    std::size_t shown = 0;
    const auto observe = [&](const rampart::TrainProgress& at) {
      if (at.round > shown) {
        std::cout << "round " << at.round << ", violation " << at.violation << '\n';
        shown = at.round;
      }
      return at.round <= most_rounds;  // false ends the training
    };
    const rampart::Trained trained = rampart::train(data, {.objective = {.C = 10}}, observe);
    std::cout << rampart::to_string(trained.report.status) << ": R = " << trained.report.objective
              << " after " << trained.report.history.size() << " rounds\n";
  } catch (const rampart::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
