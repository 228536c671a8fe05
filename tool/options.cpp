#include "options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <map>
#include <utility>

#include "rampart/errors.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "read_limits.hpp"

namespace rampart::tool {
namespace {

constexpr std::size_t most_numbers = 1000;  // in a list

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

/// first, first + step, … up to last, without the rounding errors of adding: 0.15, not
/// 0.15000000000000002.
std::vector<double> range(double first, double last, double step, const std::string& what) {
  for (const double number : {first, last, step}) {
    if (!std::isfinite(number))
      throw OptionError(fmt::format("{}: {} is no number to count with", what, number));
  }
  if (step == 0) throw OptionError(fmt::format("{}: the step must not be 0", what));
  const double count = std::floor((last - first) / step * (1 + 1e-12) + 1e-9);
  if (!(count >= 0)) {
    throw OptionError(
        fmt::format("{}: steps of {} do not lead from {} to {}", what, step, first, last));
  }
  if (count >= most_numbers) {
    throw OptionError(fmt::format("{}: more than {} numbers", what, most_numbers));
  }
  std::vector<double> values;
  for (std::size_t k = 0; k <= static_cast<std::size_t>(count); ++k) {
    values.push_back(*parse_number(fmt::format("{:.12g}", first + static_cast<double>(k) * step)));
  }
  return values;
}

/// An option that takes several of a few names, separated by commas.
template <class Enum>
CLI::Option* add_choices(CLI::App& command, const std::string& names, std::vector<Enum>& values,
                         const std::map<std::string, Enum>& choices, const std::string& about) {
  std::string all;
  for (const auto& [name, choice] : choices) all += (all.empty() ? "" : "|") + name;
  const auto set = [&values, &choices, names, all](const std::vector<std::string>& given) {
    values.clear();
    for (const std::string& name : given) {
      const auto found = choices.find(name);
      if (found == choices.end()) {
        throw CLI::ValidationError(names, fmt::format("'{}' is not one of {}", name, all));
      }
      if (std::ranges::find(values, found->second) != values.end()) {
        throw CLI::ValidationError(names, fmt::format("'{}' is named twice", name));
      }
      values.push_back(found->second);
    }
  };
  return command.add_option_function<std::vector<std::string>>(names, set, about)
      ->delimiter(',')
      ->type_name(all + ",…");
}

/// Numbers as a user lists them: "0.1,0.2" or "0.05:0.5:0.05" (first, last, step).
std::vector<double> number_list(const std::string& option, const std::string& text) {
  const std::string what = option + " " + text;
  std::vector<double> values;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string item = text.substr(begin, end - begin);
    const std::size_t colon = item.find(':');
    const std::size_t second = colon == item.npos ? item.npos : item.find(':', colon + 1);
    const auto first = parse_number(item.substr(0, colon));
    if (colon == item.npos && first) {
      values.push_back(*first);
    } else {
      const auto last = second == item.npos
                            ? std::nullopt
                            : parse_number(item.substr(colon + 1, second - colon - 1));
      const auto step = second == item.npos ? std::nullopt : parse_number(item.substr(second + 1));
      if (!first || !last || !step) {
        throw OptionError(fmt::format(
            "{}: '{}' must be a number, or FIRST:LAST:STEP as in 0.05:0.5:0.05", what, item));
      }
      const std::vector<double> found = range(*first, *last, *step, what);
      values.insert(values.end(), found.begin(), found.end());
    }
    if (values.size() > most_numbers) {
      throw OptionError(fmt::format("{}: more than {} numbers", what, most_numbers));
    }
    begin = end + 1;
  }
  return values;
}

/// An option that takes a list of numbers.
CLI::Option* add_numbers(CLI::App& command, const std::string& names, std::vector<double>& values,
                         const std::string& about) {
  const std::string name = names.substr(0, names.find(','));
  return command
      .add_option_function<std::string>(
          names, [&values, name](const std::string& text) { values = number_list(name, text); },
          about)
      ->type_name("LIST");
}

/// "-5,15,2" as LIBSVM's grid.py has it: 2^-5, 2^-3, …, 2^15.
std::vector<double> powers_of_two(const std::string& name, const std::string& text) {
  std::vector<double> parts;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto number = parse_number(text.substr(begin, end - begin));
    if (!number) break;
    parts.push_back(*number);
    begin = end + 1;
  }
  if (parts.size() != 3 || begin <= text.size()) {
    throw OptionError(
        fmt::format("{} {}: must be BEGIN,END,STEP, three numbers, as in -5,15,2", name, text));
  }
  std::vector<double> values;
  for (const double exponent :
       range(parts[0], parts[1], parts[2], fmt::format("{} {}", name, text))) {
    values.push_back(std::exp2(exponent));
  }
  return values;
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

CLI::Validator a_file_name() {
  const auto check = [](const std::string& given) -> std::string {
    return given.empty() ? "the name of the file is empty" : "";
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
  add_data_limits(command, read.limits);
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

void CostOptions::add_to(CLI::App& command, const std::string& otherwise, bool several) {
  const std::string about =
      "Cost d of declining, where a wrong answer costs 1; 0 < d <= 0.5; default: " + otherwise;
  auto* single = several ? add_numbers(command, "--reject-cost,--d", reject_costs,
                                       about + "; several: 0.1,0.2 or 0.05:0.5:0.05")
                         : command.add_option("--reject-cost,--d", reject_costs, about)
                               ->expected(1)
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

std::vector<Costs> CostOptions::all() const {
  std::vector<Costs> all;
  for (const double d : reject_costs) {
    const Costs costs = Costs::symmetric(d);
    if (std::ranges::find(all, costs) != all.end()) {
      throw OptionError(fmt::format("reject cost d = {}: is named twice", d));
    }
    all.push_back(costs);
  }
  if (!table.empty()) all.push_back({table[0], table[1], table[2], table[3]});
  if (all.empty()) all.emplace_back();
  for (const Costs& costs : all) costs.validate();
  return all;
}

void ConfidenceOption::add_to(CLI::App& command) {
  command
      .add_option("--confidence", level,
                  "Of the intervals; greater than 0, less than 1; default: 0.95")
      ->check(a_number())
      ->type_name("P");
}

void ConfidenceOption::validate() const { static_cast<void>(clopper_pearson(0, 0, level)); }

void TrainingOptions::add_to(CLI::App& command, Choice choice) {
  const bool several = choice == Choice::several;
  const std::string loss = "What is minimised; default: double-ramp";
  if (several) {
    add_choices(command, "--loss", losses_, losses, loss + "; several, separated by commas");
  } else {
    add_choice(command, "--loss", losses_.front(), losses, loss);
  }
  cost_.add_to(command, "0.2", choice != Choice::grid);
  const std::string kernel = "Kernel";
  if (choice == Choice::grid) {
    add_grid(command);
  } else {
    command
        .add_option("-c,--C", options_.objective.C,
                    "Weight of the loss against |w|^2/2; default: 1")
        ->check(a_number())
        ->type_name("C");
    command
        .add_option("--mu", options_.objective.mu,
                    "Width of the ramps: mu + mu^2; 0 < mu <= 1; default: 1")
        ->check(a_number())
        ->type_name("MU");
    command
        .add_option("-g,--gamma", gamma_,
                    "A number > 0, scale (1/(p var), the default) or auto (1/p)")
        ->type_name("NUMBER|scale|auto")
        ->group(kernel);
  }
  command
      .add_option("--band-folds", band_folds_,
                  "Choose the rejection band on the scores of K inner folds; 0: the band of the "
                  "loss; default: 5 for hinge, which has none of its own, 0 for the others")
      ->check(a_whole_number(10000))
      ->type_name("K")
      ->group("Band");

  add_choice(command, "--kernel", options_.representation.kernel.type, kernels, "Default: rbf")
      ->group(kernel);
  command
      .add_option("--degree", options_.representation.kernel.degree,
                  "Of the polynomial kernel; default: 3")
      ->check(a_whole_number(INT_MAX))
      ->type_name("N")
      ->group(kernel);
  command
      .add_option("--coef0", options_.representation.kernel.coef0,
                  "Of the polynomial and sigmoid kernels; default: 0")
      ->check(a_number())
      ->type_name("X")
      ->group(kernel);
  add_choice(command, "--scale", options_.representation.scaling, scalings,
             "Scale the features, and remember how in the model; default: none")
      ->group(kernel);
  command
      .add_option("--class-weight", class_weights_,
                  "Rows of class LABEL count W times (may be repeated)")
      ->type_name("LABEL=W");

  const std::string solver = "Solver";
  command
      .add_option("-e,--tolerance", options_.exactness.tolerance,
                  "Largest KKT violation left, in units of f(x); default: 0.001")
      ->check(a_number())
      ->type_name("E")
      ->group(solver);
  add_choice(command, "--precision", options_.exactness.precision, precisions,
             "Of kernel rows; auto: double up to 2048 rows or below tolerance 1e-5")
      ->group(solver);
  command.add_option("--max-rounds", options_.exactness.max_rounds, "Convex rounds; default: 100")
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
      .add_option("--max-seconds", max_seconds_,
                  "Seconds of each training: then the best model so far is certified, which takes "
                  "a little longer, and counts as not converged; default: no limit")
      ->check(a_number())
      ->type_name("S")
      ->group(solver);
  command
      .add_option("--cache-mb", cache_mb_,
                  fmt::format("Memory for kernel rows, taken as they are needed; does not change "
                              "results; default: half of the memory there is ({} here)",
                              default_cache_bytes() >> 20))
      ->check(a_number())
      ->type_name("MB")
      ->group(solver);
}

void TrainingOptions::add_grid(CLI::App& command) {
  const std::string group = "Grid (lists: 1,2,4 or FIRST:LAST:STEP)";
  const auto powers = [&](const std::string& name, const std::string& about, auto set) {
    return command
        .add_option_function<std::string>(
            name, [name, set](const std::string& text) { set(powers_of_two(name, text)); }, about)
        ->type_name("BEGIN,END,STEP")
        ->group(group);
  };
  auto* weights =
      add_numbers(command, "-c,--C", grid_.C, "Weights of the loss; default: 2^-3, 2^-1, …, 2^9")
          ->group(group);
  powers("--log2c", "The same by powers of two, as in grid.py: -5,15,2",
         [this](std::vector<double> values) { grid_.C = std::move(values); })
      ->excludes(weights);
  auto* widths = command
                     .add_option_function<std::string>(
                         "-g,--gamma",
                         [this](const std::string& text) {
                           grid_.gamma.clear();
                           if (text == "scale" || text == "auto") {
                             grid_.gamma.push_back(parse_gamma(text));
                           } else {
                             for (const double gamma : number_list("-g", text))
                               grid_.gamma.emplace_back(gamma);
                           }
                         },
                         "Widths of the kernel, scale or auto; default: 2^-9, 2^-7, …, 2^3")
                     ->type_name("LIST|scale|auto")
                     ->group(group);
  powers("--log2g", "The same by powers of two: 3,-15,-2",
         [this](const std::vector<double>& values) {
           grid_.gamma.assign(values.begin(), values.end());
         })
      ->excludes(widths);
  add_numbers(command, "--mu", grid_.mu, "Widths of the ramps; default: 1")->group(group);
  add_numbers(command, "--training-cost", grid_.training_cost,
              "Reject costs d' that training is told, while answers cost d; default: d")
      ->group(group);
}

std::vector<TrainOptions> TrainingOptions::methods(const CommonOptions& common) const {
  TrainOptions options = options_;
  options.representation.kernel.gamma = parse_gamma(gamma_);
  for (const std::string& item : class_weights_) {
    const std::size_t equals = item.rfind('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_number(item.substr(equals + 1));
    if (!weight) throw OptionError(fmt::format("class weight {}: must be LABEL=NUMBER", item));
    if (!options.objective.class_weights.emplace(item.substr(0, equals), *weight).second) {
      throw OptionError(fmt::format("class weight {}: this class has one already", item));
    }
  }
  if (cache_mb_) {
    if (!(*cache_mb_ >= 0) || *cache_mb_ > 1e9) {
      throw OptionError(fmt::format("cache-mb = {}: must be in 0 … 1e9", *cache_mb_));
    }
    options.resources.cache_bytes = static_cast<std::size_t>(*cache_mb_ * 1024 * 1024);
  }
  if (max_steps_) {
    if (*max_steps_ == 0) throw OptionError("max steps = 0: must be at least 1");
    options.exactness.max_steps = *max_steps_;
  }
  if (max_seconds_) {
    if (*max_seconds_ == 0) throw OptionError("max seconds = 0: must be > 0 and finite");
    options.exactness.max_seconds = *max_seconds_;
  }
  options.resources.threads = common.threads;

  std::vector<TrainOptions> methods;
  for (const LossKind loss : losses_) {
    for (const Costs& costs : cost_.all()) {
      TrainOptions method = options;
      method.band.folds = band_folds_.value_or(default_band_folds(loss));
      method.objective.loss = loss;
      method.objective.costs = costs;
      // The hinge loss knows no costs: its band does.
      if (loss == LossKind::hinge && method.band.folds > 0 && !costs.is_symmetric()) {
        method.objective.costs = {};
        method.band.decide_for = costs;
      }
      method.validate();
      methods.push_back(std::move(method));
    }
  }
  return methods;
}

TuneGrid TrainingOptions::grid() const {
  TuneGrid grid = TuneGrid::standard(options_.representation.kernel);
  if (!grid_.C.empty()) grid.C = grid_.C;
  if (!grid_.gamma.empty()) grid.gamma = grid_.gamma;
  grid.mu = grid_.mu;
  grid.training_cost = grid_.training_cost;
  return grid;
}

void FoldingOptions::add_to(CLI::App& command, std::size_t default_folds,
                            std::size_t default_repeats) {
  folds.folds = default_folds;
  folds.repeats = default_repeats;
  const std::string group = "Folds";
  command
      .add_option("-v,--folds", folds.folds,
                  fmt::format("Parts the rows are dealt into; default: {}", default_folds))
      ->check(a_whole_number())
      ->type_name("K")
      ->group(group);
  command
      .add_option("--repeats", folds.repeats,
                  fmt::format("How often they are dealt anew; default: {}", default_repeats))
      ->check(a_whole_number(100000))
      ->type_name("N")
      ->group(group);
  command.add_option("--seed", folds.seed, "Another seed, other folds; default: 1")
      ->check(a_whole_number())
      ->type_name("N")
      ->group(group);
  command
      .add_option_function<std::string>(
          "--stratify", [this](const std::string& choice) { folds.stratified = choice == "yes"; },
          "Whether every fold gets its share of both classes; default: yes")
      ->check(CLI::IsMember({"yes", "no"}).description(""))
      ->type_name("yes|no")
      ->group(group);
  groups.add_to(command, group);
}

void GroupOptions::add_to(CLI::App& command, const std::string& group) {
  command
      .add_option("--groups", source,
                  "Who a row belongs to: a file with one name per row, or else a column of DATA. A "
                  "group is never on both sides of a fold")
      ->type_name("FILE|COLUMN")
      ->group(group);
}

Dataset GroupOptions::read(const std::string& path, ReadOptions options) const {
  std::error_code none;
  const bool from_file = !source.empty() && std::filesystem::is_regular_file(source, none);
  if (!from_file) options.group = source;
  Dataset data = read_dataset(path, options);
  if (from_file) data.groups = read_lines(source, options.limits);
  if (from_file && data.groups.size() != data.size()) {
    throw InputError(fmt::format("{}: {} groups for the {} rows of {}", source, data.groups.size(),
                                 data.size(), path));
  }
  return data;
}

void add_training_data(CLI::App& command, std::string& path) {
  command.add_option("DATA", path, "Labelled rows: LIBSVM or CSV, .gz or .xz; - is stdin")
      ->required();
}

void add_model_output(CLI::App& command, std::string& path) {
  command.add_option("-o,--output", path, "The model file; - is stdout")
      ->check(a_file_name())
      ->type_name("MODEL")
      ->required();
}

}  // namespace rampart::tool
