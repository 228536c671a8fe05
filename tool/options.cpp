#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>

#include "rampart/errors.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {
namespace {

/// Enumerators by the names that files use for them too.
template <class Enum>
std::map<std::string, Enum> by_name(std::initializer_list<Enum> all) {
  std::map<std::string, Enum> names;
  for (const Enum one : all) names.emplace(to_string(one), one);
  return names;
}

const auto losses = by_name(
    {LossKind::double_ramp, LossKind::double_hinge, LossKind::generalized_hinge, LossKind::hinge});
const auto kernels = by_name({KernelType::linear, KernelType::rbf, KernelType::polynomial,
                              KernelType::sigmoid, KernelType::precomputed});
const auto scalings = by_name({ScalingKind::none, ScalingKind::minmax, ScalingKind::standard});
const std::map<std::string, Precision> precisions = {{"auto", Precision::automatic},
                                                     {"single", Precision::single_rows},
                                                     {"double", Precision::double_rows}};
const std::map<std::string, Format> formats = {
    {"auto", Format::automatic}, {"libsvm", Format::libsvm}, {"csv", Format::csv}};

/// An option that takes one of a few names.
template <class Enum>
CLI::Option* add_choice(CLI::App& command, const std::string& names, Enum& value,
                        const std::map<std::string, Enum>& choices, const std::string& about) {
  std::string all;
  for (const auto& [name, choice] : choices) all += (all.empty() ? "" : "|") + name;
  const auto set = [&value, &choices, all](const std::string& given) -> std::string {
    const auto found = choices.find(given);
    if (found == choices.end()) return fmt::format("'{}' is not one of {}", given, all);
    value = found->second;
    return {};
  };
  return command
      .add_option_function<std::string>(
          names, [](const std::string&) {}, about)
      ->check(CLI::Validator(set, "", names))
      ->type_name(all);
}

std::optional<double> parse_number(const std::string& text) {
  const char* begin = text.c_str() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.c_str() + text.size();
  double value = 0;
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc{} || rest != end) return std::nullopt;
  return value;
}

Gamma parse_gamma(const std::string& text) {
  if (text == "scale") return GammaRule::scale;
  if (text == "auto") return GammaRule::inverse_features;
  if (const auto number = parse_number(text)) return *number;
  throw OptionError(fmt::format("gamma = {}: must be a number > 0, scale or auto", text));
}

}  // namespace

CLI::Validator a_number() {
  const auto check = [](const std::string& given) -> std::string {
    return parse_number(given) ? "" : fmt::format("'{}' is not a number", given);
  };
  return CLI::Validator(check, "");
}

CLI::Validator a_whole_number(std::uint64_t most) {
  const auto check = [most](const std::string& given) -> std::string {
    const char* end = given.data() + given.size();
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(given.data(), end, value);
    if (error == std::errc{} && rest == end && value <= most) return "";
    return most == UINT64_MAX
               ? fmt::format("'{}' is not a whole number >= 0", given)
               : fmt::format("'{}' is not a whole number between 0 and {}", given, most);
  };
  return CLI::Validator(check, "");
}

void CommonOptions::add_to(CLI::App& command) {
  command.add_flag("--json", json, "Print one JSON object instead of text");
  command.add_flag("-q,--quiet", quiet, "No progress, no notes");
  command.add_option("--threads", threads, "At most N threads; 0: all. Does not change results")
      ->check(a_whole_number(1024))
      ->type_name("N");
}

void DataOptions::add_to(CLI::App& command, bool labelled) {
  const std::string group = "Reading DATA";
  add_choice(command, "--format", read.format, formats, "Format of the file; default: look at it")
      ->group(group);
  command
      .add_option("--label", read.label,
                  "CSV: the column of labels, by name or number from 1; default: the last")
      ->type_name("COLUMN")
      ->group(group);
  command.add_option("--ignore", read.ignore, "CSV: columns to leave out (may be repeated)")
      ->type_name("COLUMN")
      ->delimiter(',')
      ->group(group);
  command
      .add_option_function<std::string>(
          "--header",
          [this](const std::string& choice) {
            if (choice != "auto") read.header = choice == "yes";
          },
          "CSV: whether the first line names the columns")
      ->check(CLI::IsMember({"auto", "yes", "no"}).description(""))
      ->type_name("auto|yes|no")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--delimiter",
          [this](const std::string& text) {
            if (text.size() != 1 && text != "tab" && text != "space") {
              throw CLI::ValidationError("--delimiter", "must be one character, tab or space");
            }
            read.delimiter = text == "tab" ? '\t' : text == "space" ? ' ' : text[0];
          },
          "CSV: a character, tab or space; default: look at the file")
      ->type_name("CHAR")
      ->group(group);
  if (!labelled) return;
  command
      .add_option("--positive", read.positive,
                  "The label that counts as +1; default: the greater number or later word")
      ->type_name("LABEL")
      ->group(group);
  command.add_option("--weight", read.weight, "CSV: a column of row weights >= 0")
      ->type_name("COLUMN")
      ->group(group);
}

void CostOptions::add_to(CLI::App& command, const std::string& otherwise) {
  auto* single = command
                     .add_option("--reject-cost,--d", reject_cost,
                                 "Cost d of declining, where a wrong answer costs 1; 0 < d <= 0.5; "
                                 "default: " +
                                     otherwise)
                     ->check(a_number())
                     ->type_name("D");
  command
      .add_option("--costs", table,
                  "Cost of a false positive, a false negative, and of rejecting a positive, a "
                  "negative")
      ->delimiter(',')
      ->expected(4)
      ->check(a_number())
      ->type_name("FP,FN,REJECT_POS,REJECT_NEG")
      ->excludes(single);
}

Costs CostOptions::costs() const {
  Costs costs = reject_cost ? Costs::symmetric(*reject_cost) : Costs{};
  if (!table.empty()) costs = {table[0], table[1], table[2], table[3]};
  costs.validate();
  return costs;
}

void TrainingOptions::add_to(CLI::App& command) {
  add_choice(command, "--loss", options_.loss, losses, "What is minimised; default: double-ramp");
  cost_.add_to(command, "0.2");
  command.add_option("-c,--C", options_.C, "Weight of the loss against |w|^2/2; default: 1")
      ->check(a_number())
      ->type_name("C");
  command.add_option("--mu", options_.mu, "Width of the ramps: mu + mu^2; 0 < mu <= 1; default: 1")
      ->check(a_number())
      ->type_name("MU");

  const std::string kernel = "Kernel";
  add_choice(command, "--kernel", options_.kernel.type, kernels, "Default: rbf")->group(kernel);
  command
      .add_option("-g,--gamma", gamma_,
                  "A number > 0, scale (1/(p var), the default) or auto (1/p)")
      ->type_name("NUMBER|scale|auto")
      ->group(kernel);
  command.add_option("--degree", options_.kernel.degree, "Of the polynomial kernel; default: 3")
      ->check(a_whole_number(INT_MAX))
      ->type_name("N")
      ->group(kernel);
  command
      .add_option("--coef0", options_.kernel.coef0,
                  "Of the polynomial and sigmoid kernels; default: 0")
      ->check(a_number())
      ->type_name("X")
      ->group(kernel);
  add_choice(command, "--scale", options_.scaling, scalings,
             "Scale the features, and remember how in the model; default: none")
      ->group(kernel);
  command
      .add_option("--class-weight", class_weights_,
                  "Rows of class LABEL count W times (may be repeated)")
      ->type_name("LABEL=W");

  const std::string solver = "Solver";
  command
      .add_option("-e,--tolerance", options_.tolerance,
                  "Largest KKT violation left, in units of f(x); default: 0.001")
      ->check(a_number())
      ->type_name("E")
      ->group(solver);
  add_choice(command, "--precision", options_.precision, precisions,
             "Of kernel rows; auto: double up to 2048 rows or below tolerance 1e-5")
      ->group(solver);
  command.add_option("--max-rounds", options_.max_rounds, "Convex rounds; default: 100")
      ->check(a_whole_number())
      ->type_name("N")
      ->group(solver);
  command
      .add_option("--max-steps", max_steps_,
                  "Pair steps in all; default: 10000000, or 100 per row if more")
      ->check(a_whole_number())
      ->type_name("N")
      ->group(solver);
  command
      .add_option("--cache-mb", cache_mb_,
                  "Memory for kernel rows; does not change results; default: 1024")
      ->check(a_number())
      ->type_name("MB")
      ->group(solver);
}

TrainOptions TrainingOptions::get(const CommonOptions& common) const {
  TrainOptions options = options_;
  options.costs = cost_.costs();
  options.kernel.gamma = parse_gamma(gamma_);
  for (const std::string& item : class_weights_) {
    const std::size_t equals = item.rfind('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_number(item.substr(equals + 1));
    if (!weight) throw OptionError(fmt::format("class weight {}: must be LABEL=NUMBER", item));
    if (!options.class_weights.emplace(item.substr(0, equals), *weight).second) {
      throw OptionError(fmt::format("class weight {}: this class has one already", item));
    }
  }
  if (!(cache_mb_ >= 0) || cache_mb_ > 1e9) {
    throw OptionError(fmt::format("cache-mb = {}: must be in 0 … 1e9", cache_mb_));
  }
  options.cache_bytes = static_cast<std::size_t>(cache_mb_ * 1024 * 1024);
  if (max_steps_) {
    if (*max_steps_ == 0) throw OptionError("max steps = 0: must be at least 1");
    options.max_steps = *max_steps_;
  }
  options.threads = common.threads;
  options.validate();
  return options;
}

void require_other_file(const std::string& output, std::initializer_list<std::string> inputs) {
  for (const std::string& input : inputs) {
    std::error_code none;  // a file that is not there is no other file
    if (output != "-" && std::filesystem::is_regular_file(output, none) &&
        std::filesystem::equivalent(output, input, none)) {
      throw OptionError(fmt::format("output {}: is an input too, and would be lost", output));
    }
  }
}

void require_one_stdin(const std::string& model, const std::string& data) {
  if (model != "-" || data != "-") return;
  throw OptionError("-: only one of MODEL and DATA can be standard input");
}

}  // namespace rampart::tool
