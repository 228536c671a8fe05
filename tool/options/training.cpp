#include "options/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <map>
#include <utility>

#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {
namespace {

const auto losses = by_name<LossKind>();
// Models have fourier; who trains chooses rbf and a number of features.
const auto kernels = [] {
  auto names = by_name<KernelType>();
  names.erase(std::string(to_string(KernelType::fourier)));
  return names;
}();
// Nothing: by the data. ScalingKind::centre is not to be chosen: training uses it by itself.
const std::map<std::string, std::optional<ScalingKind>> scalings = {
    {"auto", std::nullopt},
    {"none", ScalingKind::none},
    {"minmax", ScalingKind::minmax},
    {"standard", ScalingKind::standard}};
const auto precisions = by_name<Precision>();
const auto solvers = by_name<SolverKind>();

Gamma parse_gamma(const std::string& text) {
  if (text == "scale") return GammaRule::scale;
  if (text == "auto") return GammaRule::inverse_features;
  if (const auto number = parse_number(text)) return *number;
  throw OptionError(fmt::format("gamma = {}: must be a number > 0, scale or auto", text));
}

}  // namespace

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

void TrainingOptions::add_to(CLI::App& command, Choice choice) {
  const bool several = choice == Choice::several;
  const std::string loss = "What is minimised; default: double-ramp";
  if (several) {
    add_choices(command, "--loss", losses_, losses, loss + "; several, separated by commas");
  } else {
    add_choice(command, "--loss", losses_.front(), losses, loss);
  }
  cost_.add_to(command, "0.2", true);
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
  auto* landmarks =
      command
          .add_option("--landmarks", landmarks_,
                      "For many rows: the part of the rbf kernel that M training rows span "
                      "(Nystrom); hundreds to thousands come close to all of it")
          ->check(a_whole_number(INT_MAX))
          ->type_name("M")
          ->group(kernel);
  command
      .add_option("--features", features_,
                  "For many rows: M random Fourier features instead of the rbf kernel")
      ->check(a_whole_number(INT_MAX))
      ->type_name("M")
      ->group(kernel)
      ->excludes(landmarks);
  add_choice(command, "--scale", scaling_, scalings,
             "Scale the features, and remember how in the model; auto, the default: standard for "
             "dense data, none for sparse; 0/1 features of categories are left alone")
      ->group(kernel);
  command
      .add_option("--unfamiliar", options_.representation.unfamiliar,
                  "Reject rows unlike the training rows: at most this share of rows like them; "
                  "0: none; default: 0.005")
      ->check(a_number())
      ->type_name("SHARE")
      ->group("Band");
  command
      .add_option(
          "--class-weight", class_weights_,
          "Rows of class LABEL count W times (may be repeated), or balanced: n/(2 n_class), so "
          "that both classes count the same")
      ->type_name("LABEL=W|balanced");

  const std::string solver = "Solver";
  command
      .add_option(
          "-e,--tolerance", options_.exactness.tolerance,
          "Largest KKT violation left, in units of f(x); default: 0.001; the linear solver ends at "
          "a certified gap of E/20")
      ->check(a_number())
      ->type_name("E")
      ->group(solver);
  add_choice(command, "--solver", options_.exactness.solver, solvers,
             "smo: on kernel rows; linear: on w itself, for linear kernels and millions of rows; "
             "auto, the default: linear where the kernel is")
      ->group(solver);
  add_choice(command, "--precision", options_.exactness.precision, precisions,
             "Of kernel rows; auto: double up to 2048 rows or below tolerance 1e-5")
      ->group(solver);
  command.add_option("--max-rounds", options_.exactness.max_rounds, "Convex rounds; default: 100")
      ->check(a_whole_number())
      ->type_name("N")
      ->group(solver);
  command
      .add_option(
          "--max-steps", max_steps_,
          "Pair steps in all; default: 10000000, or 100 per row if more; of the linear solver: "
          "passes over the rows; default: 3000")
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
              "Reject costs d' to train with, while answers cost d; default: d")
      ->group(group);
}

std::vector<TrainOptions> TrainingOptions::methods(const CommonOptions& common) const {
  TrainOptions options = options_;
  options.representation.scaling = scaling_.value_or(ScalingKind::none);
  options.representation.kernel.gamma = parse_gamma(gamma_);
  for (const std::string& item : class_weights_) {
    if (item == "balanced") {
      options.objective.balanced = true;
      continue;
    }
    const std::size_t equals = item.rfind('=');
    const auto weight =
        equals == std::string::npos ? std::nullopt : parse_number(item.substr(equals + 1));
    if (!weight)
      throw OptionError(fmt::format("class weight {}: must be LABEL=NUMBER or balanced", item));
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
  if (landmarks_) {
    if (*landmarks_ == 0) throw OptionError("landmarks = 0: must be at least 1");
    options.representation.kernel.landmarks = *landmarks_;
  }
  if (features_) {
    if (*features_ == 0) throw OptionError("features = 0: must be at least 1");
    options.representation.kernel.features = *features_;
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
      // The hinge loss has no costs; they decide only where its band is put.
      if (!traits_of(loss).uses_costs && method.band.folds > 0 && !costs.is_symmetric()) {
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
  // What was asked for is tried, no less and no more.
  if (!grid_.C.empty()) {
    grid.C = grid_.C;
    grid.widens_C = false;
  }
  if (!grid_.gamma.empty()) {
    grid.gamma = grid_.gamma;
    grid.widens_gamma = false;
  }
  grid.mu = grid_.mu;
  grid.training_cost = grid_.training_cost;
  return grid;
}

}  // namespace rampart::tool
