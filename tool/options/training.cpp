#include "options/training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "options/shared_option.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"

namespace rampart::tool {
namespace {

const auto losses = by_name<LossKind>();
}  // namespace

void CostOptions::add_to(CLI::App& command, const std::string& otherwise, bool several) {
  const OptionText& cost = option_text("reject-cost");
  const std::string names = names_on_the_command_line(cost);
  const std::string about = help_text(cost, otherwise);
  auto* single = several ? add_numbers(command, names, reject_costs,
                                       about + "; several: 0.1,0.2 or 0.05:0.5:0.05")
                         : command.add_option(names, reject_costs, about)
                               ->expected(1)
                               ->check(check_of(cost))
                               ->type_name(std::string(cost.value));
  const OptionText& all = option_text("costs");
  command.add_option(names_on_the_command_line(all), table, help_text(all))
      ->delimiter(',')
      ->expected(4)
      ->check(a_number())
      ->type_name(std::string(all.value))
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
  const std::string loss = help_text("loss");
  if (several) {
    add_choices(command, "--loss", losses_, losses, loss + "; several, separated by commas");
  } else {
    add_choice(command, "--loss", losses_.front(), losses, loss);
  }
  cost_.add_to(command, "0.2", true);
  const auto add = [&](std::string_view name) { return add_shared(command, name, settings_); };
  if (choice == Choice::grid) {
    add_grid(command);
  } else {
    for (const char* name : {"C", "mu", "gamma"}) add(name);
  }
  for (const char* name : {"band-folds", "kernel", "degree", "coef0"}) add(name);
  auto* landmarks = add("landmarks");
  add("features")->excludes(landmarks);
  for (const char* name : {"scale", "unfamiliar", "class-weight", "tolerance", "solver",
                           "precision", "max-rounds", "max-steps", "max-seconds"}) {
    add(name);
  }
  auto* cache = add("cache-mb");
  cache->description(
      fmt::format("{} ({} here)", cache->get_description(), default_cache_bytes() >> 20));
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
  auto* weights = add_numbers(command, "-c,--C", settings_.grid.C,
                              "Weights of the loss; default: 2^-3, 2^-1, …, 2^9")
                      ->group(group);
  powers("--log2c", "The same by powers of two, as in grid.py: -5,15,2",
         [this](std::vector<double> values) { settings_.grid.C = std::move(values); })
      ->excludes(weights);
  auto* widths = command
                     .add_option_function<std::string>(
                         "-g,--gamma",
                         [this](const std::string& text) {
                           settings_.grid.gamma.clear();
                           if (text == "scale" || text == "auto") {
                             settings_.grid.gamma.push_back(gamma_in(text));
                           } else {
                             for (const double gamma : number_list("-g", text))
                               settings_.grid.gamma.emplace_back(gamma);
                           }
                         },
                         "Widths of the kernel, scale or auto; default: 2^-9, 2^-7, …, 2^3")
                     ->type_name("LIST|scale|auto")
                     ->group(group);
  powers("--log2g", "The same by powers of two: 3,-15,-2",
         [this](const std::vector<double>& values) {
           settings_.grid.gamma.assign(values.begin(), values.end());
         })
      ->excludes(widths);
  add_numbers(command, "--mu", settings_.grid.mu, "Widths of the ramps; default: 1")->group(group);
  add_numbers(command, "--training-cost", settings_.grid.training_cost, help_text("training-cost"))
      ->group(group);
}

std::vector<TrainOptions> TrainingOptions::methods(const CommonOptions& common) const {
  TrainingSettings settings = settings_;
  settings.options.resources.threads = common.threads;
  std::vector<TrainOptions> methods;
  for (const LossKind loss : losses_) {
    for (const Costs& costs : cost_.all()) methods.push_back(settings.method(loss, costs));
  }
  return methods;
}

}  // namespace rampart::tool
