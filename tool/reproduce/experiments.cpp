#include "reproduce/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <ranges>
#include <string_view>

#include "data/digest.hpp"
#include "data/generate.hpp"
#include "embedded.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {
namespace {

/// A data set of the UCI repository: how it is read, and what its bytes are.
struct RealSet {
  const char* set;
  const char* file;
  const char* sha256;
  const char* label;   // column; empty: the last
  const char* ignore;  // column; empty: none
};
constexpr RealSet real_sets[] = {
    {"ionosphere", "ionosphere.data",
     "46d52186b84e20be52918adb93e8fb9926b34795ff7504c24350ae0616a04bbd", "", ""},
    {"parkinsons", "parkinsons.data",
     "a36116c2deac07895b79ce97a2f99a1b3720ac4892995ff5c3b9ccb397ed2bc5", "status", "name"}};

/// The fields of one of the project's own tables: no quotes, # starts a comment.
using Record = std::map<std::string, std::string>;

std::vector<Record> records(std::string_view csv) {
  std::vector<Record> found;
  std::vector<std::string> header;
  for (const auto line : std::views::split(csv, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    std::vector<std::string> fields;
    for (const auto field : std::views::split(line, ',')) {
      fields.emplace_back(field.begin(), field.end());
    }
    if (header.empty()) {
      header = fields;
      continue;
    }
    Record record;
    for (std::size_t k = 0; k < header.size(); ++k) record[header[k]] = fields.at(k);
    found.push_back(std::move(record));
  }
  return found;
}

std::optional<double> number_in(const Record& record, const std::string& key) {
  const std::string& text = record.at(key);
  if (text.empty()) return std::nullopt;
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::optional<MeanSd> mean_sd_in(const Record& record, const std::string& key) {
  const auto mean = number_in(record, key);
  if (!mean) return std::nullopt;
  return MeanSd{*mean, number_in(record, key + "_sd")};
}

LossKind loss_named(const std::string& name) {
  return name == to_string(LossKind::double_hinge) ? LossKind::double_hinge : LossKind::double_ramp;
}

/// "synthetic1" → "Synthetic 1"
std::string title(const std::string& set) {
  std::string name = set;
  name[0] = static_cast<char>(name[0] - 'a' + 'A');
  if (name.back() >= '0' && name.back() <= '9') name.insert(name.size() - 1, " ");
  return name;
}

PaperData read_real(const RealSet& real, const std::string& folder) {
  std::error_code none;
  std::filesystem::path path = std::filesystem::path(folder) / real.set / real.file;
  if (!std::filesystem::exists(path, none)) path = std::filesystem::path(folder) / real.file;
  if (folder.empty() || !std::filesystem::exists(path, none)) {
    return {.rows = std::nullopt,
            .missing = fmt::format("{} is of the UCI repository{}. './dev data' downloads it; then "
                                   "name the folder with --data or RAMPART_DATA.",
                                   real.file, folder.empty() ? "" : ", and not in " + folder)};
  }
  const std::string sum = sha256_of_file(path.string());
  if (sum != real.sha256) {
    throw InputError(
        fmt::format("{}: not the file of the UCI repository: its SHA-256 is {}, not "
                    "{}; './dev data' downloads it anew",
                    path.string(), sum, real.sha256));
  }
  ReadOptions options{.format = Format::csv, .label = real.label};
  if (*real.ignore != '\0') options.ignore = {real.ignore};
  return {.rows = read_dataset(path.string(), options), .missing = ""};
}

}  // namespace

std::vector<Experiment> paper_experiments() {
  std::vector<Experiment> experiments;
  for (const Record& record : records(embedded::experiments_csv)) {
    Experiment experiment{.set = record.at("set"),
                          .name = title(record.at("set")),
                          .table = fmt::format("Table {}", record.at("number")),
                          .C = {{LossKind::double_ramp, *number_in(record, "C_double_ramp")},
                                {LossKind::double_hinge, *number_in(record, "C_double_hinge")}}};
    const auto gamma = number_in(record, "gamma");
    experiment.kernel.type = gamma ? KernelType::rbf : KernelType::linear;
    if (gamma) experiment.kernel.gamma = *gamma;
    if (record.at("scaling") == to_string(ScalingKind::minmax)) {
      experiment.scaling = ScalingKind::minmax;
    }
    experiments.push_back(std::move(experiment));
  }
  for (const Record& record : records(embedded::published_csv)) {
    for (Experiment& experiment : experiments) {
      if (experiment.set != record.at("set")) continue;
      const auto key = std::pair(loss_named(record.at("loss")), *number_in(record, "reject_cost"));
      experiment.published[key] = {.risk = *mean_sd_in(record, "risk"),
                                   .rejection_rate = *mean_sd_in(record, "rejection_rate"),
                                   .accepted_accuracy = mean_sd_in(record, "accepted_accuracy")};
    }
  }
  return experiments;
}

std::vector<double> paper_costs() { return {.05, .1, .15, .2, .25, .3, .35, .4, .45, .5}; }

bool is_generated(const Experiment& experiment) {
  return std::ranges::none_of(real_sets,
                              [&](const RealSet& real) { return experiment.set == real.set; });
}

PaperData paper_data(const Experiment& experiment, const std::string& folder, std::uint64_t seed) {
  for (const RealSet& real : real_sets) {
    if (experiment.set == real.set) return read_real(real, folder);
  }
  const SyntheticSet set =
      experiment.set == "synthetic1" ? SyntheticSet::synthetic1 : SyntheticSet::synthetic2;
  return {.rows = generate(set, paper_size(set), seed, seed), .missing = ""};
}

}  // namespace rampart::tool
