// Every model file of tests/models, of whatever version, loads and scores as it did when it was
// written.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "rampart/model.hpp"

namespace rampart {
namespace {

namespace fs = std::filesystem;

const fs::path folder = RAMPART_STORED_MODELS;
constexpr int newest_version = 3;

std::vector<fs::path> model_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  return files;
}

struct Expected {
  std::vector<double> scores;
  Rows rows;
};

Expected expected_of(fs::path file, std::size_t features) {
  std::ifstream lines(file.replace_extension(".scores"));
  Expected expected;
  std::vector<double> values;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream numbers(line);
    std::string number;
    numbers >> number;
    expected.scores.push_back(std::stod(number));
    while (numbers >> number) values.push_back(std::stod(number));  // also nan
  }
  expected.rows = Rows::dense(features, std::move(values), expected.scores.size());
  return expected;
}

/// By how much scores may differ between vector instruction sets: the last bits of k, times Σ|c|.
/// Sums of linear and precomputed kernels are added one by one, and must be the same.
double rounding_of(const Model& model, double largest_kernel_value) {
  const KernelType type = type_of(model.kernel);
  if (type == KernelType::linear || type == KernelType::precomputed) return 0;
  double sum = std::abs(model.surface().band.b);
  for (const double c : model.surface().coefficients) sum += std::abs(c) * largest_kernel_value;
  // The angle of a Fourier feature, some tens here, is rounded before its cosine is taken.
  return (type == KernelType::fourier ? 1e-13 : 1e-14) * sum;
}

TEST(StoredModels, ScoreAsTheyDid) {
  const std::vector<fs::path> files = model_files();
  EXPECT_GE(files.size(), 55U);
  for (const fs::path& file : files) {
    SCOPED_TRACE(file.string());
    const Model model = load_model(file.string());
    const Expected expected = expected_of(file, model.features.count);
    ASSERT_GE(expected.scores.size(), 2U);
    const std::vector<double> scores = Predictor(model).scores(expected.rows);
    for (std::size_t n = 0; n < scores.size(); ++n) {
      // |k| ≤ 1 but for the polynomial, which is as large as its score here.
      const double allowed = rounding_of(model, std::max(1.0, std::abs(expected.scores[n])));
      EXPECT_LE(std::abs(scores[n] - expected.scores[n]), allowed)
          << "row " << n + 1 << ": " << scores[n] << " instead of " << expected.scores[n];
    }
  }
}

TEST(StoredModels, AreOfEveryKindInEveryLaterVersion) {
  for (int version = 1; version < newest_version; ++version) {
    for (const auto& entry :
         fs::directory_iterator(folder / ("version_" + std::to_string(version)))) {
      const fs::path other =
          folder / ("version_" + std::to_string(version + 1)) / entry.path().filename();
      EXPECT_TRUE(fs::exists(other)) << other;
    }
  }
}

TEST(StoredModels, OfVersion1AreThoseOfVersion2WithoutClassWeights) {
  for (const auto& entry : fs::directory_iterator(folder / "version_1")) {
    if (entry.path().extension() != ".json") continue;
    Model newer = load_model((folder / "version_2" / entry.path().filename()).string());
    newer.surface().objective.class_weights.clear();
    EXPECT_EQ(load_model(entry.path().string()), newer) << entry.path();
  }
}

TEST(StoredModels, OfTheNewestVersionAreWrittenAgainByteForByte) {
  const fs::path newest = folder / ("version_" + std::to_string(newest_version));
  for (const auto& entry : fs::directory_iterator(newest)) {
    if (entry.path().extension() != ".json") continue;
    std::ifstream file(entry.path());
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_EQ(to_json(load_model(entry.path().string())), text.str()) << entry.path();
  }
}

}  // namespace
}  // namespace rampart
