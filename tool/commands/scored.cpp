#include "commands/scored.hpp"

#include <utility>

#include "commands/labelled_rows.hpp"
#include "render/progress.hpp"

namespace rampart::tool {

Scored read_and_score(const Model& model, const std::string& path, ReadOptions read,
                      const CommonOptions& common) {
  Progress progress(common.quiet);
  read.expected = model.features;
  read.classes = model.class_names();
  read.serial_numbers = std::holds_alternative<PrecomputedKernel>(model.kernel);
  read.progress = progress.reading(path);
  read.threads = common.threads;
  Dataset data = read_copy(path, read);
  std::vector<Answer> answers = progress.answers(Predictor(model, common.threads), data.x);
  return {std::move(data), std::move(answers)};
}

}  // namespace rampart::tool
