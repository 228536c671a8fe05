// Trains a classifier that may decline to answer on rows in memory, measures it on others, and
// saves it.
//
//     train_and_save model.json

#include <cmath>
#include <cstdint>
#include <iostream>
#include <random>
#include <vector>

#include <rampart/rampart.hpp>

namespace {

/// Two overlapping classes in the plane: arrays as a program may have them. The library only looks
/// at them.
struct Sample {
  std::vector<float> features;  // row after row
  std::vector<std::int8_t> labels;

  Sample(std::size_t rows, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> noise;
    for (std::size_t n = 0; n < rows; ++n) {
      const std::int8_t label = n % 2 == 0 ? 1 : -1;
      features.push_back(static_cast<float>(label) + noise(random));
      features.push_back(noise(random));
      labels.push_back(label);
    }
  }

  [[nodiscard]] rampart::Problem problem() const {
    return {rampart::RowsView::dense(features, labels.size(), 2), labels};
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: train_and_save MODEL\n";
    return 2;
  }
  try {
    const Sample training(400, 1);
    const Sample fresh(2000, 2);
    rampart::TrainOptions options;
    options.objective.costs =
        rampart::Costs::symmetric(0.2);  // declining costs a fifth of an error
    options.objective.C = 2;
    options.representation.scaling = rampart::ScalingKind::standard;
    const rampart::Trained trained = rampart::train(training.problem(), options);

    const rampart::Metrics metrics = rampart::evaluate(trained.model, fresh.problem());
    std::cout << "training: " << rampart::to_string(trained.report.status) << " after "
              << trained.report.history.size() << " rounds\n"
              << "fresh rows: risk " << metrics.risk() << ", rejected " << metrics.rejection_rate()
              << ", right when answering " << metrics.accepted_accuracy().value_or(NAN) << '\n';
    rampart::save_model(trained.model, argv[1]);
  } catch (const rampart::Error& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
