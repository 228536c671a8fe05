#include "render/train_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "options/values.hpp"
#include "render/output.hpp"

namespace rampart::tool {
namespace {

/// A word that a shell leaves as it is.
std::string shell_word(const std::string& text) {
  const std::string plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,%@";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char letter : text)
    quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return quoted + "'";
}

/// Columns whose categories are all numbers: they were made categorical on request.
std::vector<std::string> numbers_as_categories(const FeatureLayout& columns) {
  std::vector<std::string> found;
  for (std::size_t j = 0; j < columns.categories.size(); ++j) {
    const std::vector<std::string>& names = columns.categories[j];
    if (names.empty()) continue;
    if (!std::ranges::all_of(names, [](const auto& name) { return number_in(name).has_value(); })) {
      continue;
    }
    found.push_back(!columns.names.empty()      ? columns.names[j]
                    : j < columns.fields.size() ? std::to_string(columns.fields[j])
                                                : std::to_string(j + 1));
  }
  return found;
}

}  // namespace

std::string train_command(const Model& model, const ReadOptions& read) {
  const Surface& surface = model.surface();
  const Objective& objective = surface.objective;
  std::string command = "rampart train train.csv -o model.json";
  const auto option = [&](const char* name, const std::string& value) {
    command += fmt::format(" {} {}", name, shell_word(value));
  };
  const std::string& label = read.label.empty() ? model.features.label : read.label;
  if (!label.empty()) option("--label", label);
  const std::string& id = read.id.empty() ? model.features.id : read.id;
  if (!id.empty()) option("--id", id);
  for (const std::string& column : read.ignore) option("--ignore", column);
  for (const std::string& spelling : model.features.missing_values) {
    option("--missing-values", spelling);
  }
  std::size_t most_categories = 0;
  for (const std::vector<std::string>& names : model.features.categories) {
    most_categories = std::max(most_categories, names.size());
  }
  if (most_categories > ReadOptions{}.max_categories) {
    option("--max-categories", std::to_string(most_categories));
  }
  option("--positive", model.class_names().positive);
  for (const std::string& column : numbers_as_categories(model.features)) {
    option("--categorical", column);
  }
  if (std::ranges::any_of(model.encoding.columns, [](const Encoding::Column& column) {
        return column.misses && !column.indicator;
      })) {
    option("--missing", "median");
  }
  if (objective.loss != LossKind::double_ramp) {
    option("--loss", std::string(to_string(objective.loss)));
  }
  const auto* const fourier = std::get_if<FourierKernel>(&model.kernel);
  option("--kernel",
         std::string(to_string(fourier != nullptr ? KernelType::rbf : type_of(model.kernel))));
  if (fourier != nullptr) {
    option("-g", number(fourier->gamma));
    option("--features", std::to_string(model.vectors.size()));
  }
  if (const std::size_t landmarks = model.surface().certificate.landmarks; landmarks > 0) {
    option("--landmarks", std::to_string(landmarks));
  }
  if (const auto* rbf = std::get_if<RbfKernel>(&model.kernel)) option("-g", number(rbf->gamma));
  if (const auto* polynomial = std::get_if<PolynomialKernel>(&model.kernel)) {
    option("-g", number(polynomial->gamma));
    option("--coef0", number(polynomial->coef0));
    option("--degree", std::to_string(polynomial->degree));
  }
  if (const auto* sigmoid = std::get_if<SigmoidKernel>(&model.kernel)) {
    option("-g", number(sigmoid->gamma));
    option("--coef0", number(sigmoid->coef0));
  }
  option("-c", number(objective.C));
  if (traits_of(objective.loss).has_ramps && objective.mu != 1)
    option("--mu", number(objective.mu));
  // Training chooses "centre" by itself where features are not scaled.
  option("--scale",
         std::string(to_string(model.scaling.kind == ScalingKind::centre ? ScalingKind::none
                                                                         : model.scaling.kind)));
  if (model.familiar.share != Representation{}.unfamiliar) {
    option("--unfamiliar", number(model.familiar.share));
  }
  for (const auto& [name, weight] : objective.class_weights) {
    option("--class-weight", fmt::format("{}={}", name, number(weight)));
  }
  return command;
}

std::string what_the_command_lacks(const Model& model, const ReadOptions& read) {
  const FeatureLayout& columns = model.features;
  const std::size_t known = columns.count + (columns.label.empty() ? 0 : 1) +
                            (columns.id.empty() ? 0 : 1) + read.ignore.size();
  if (known >= columns.file_columns) return "";
  return "Training left out columns that the model does not name. Add what you trained with: "
         "--ignore, --weight, --groups.";
}

}  // namespace rampart::tool
