#include "faces/training_settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "faces/number_text.hpp"
#include "faces/option_text.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

double number(std::string_view name, const std::string& text) {
  if (const auto value = number_in(text)) return *value;
  throw OptionError(fmt::format("{} = {}: is not a number", name, text));
}

template <class Whole>
Whole whole_number(std::string_view name, const std::string& text, std::uint64_t least = 0) {
  const auto value = whole_number_in(text);
  const std::uint64_t most = option_text(name).most;
  if (!value || *value > most) {
    throw OptionError(fmt::format("{} = {}: is not a whole number {}", name, text,
                                  most == UINT64_MAX ? ">= 0" : fmt::format("from 0 to {}", most)));
  }
  if (*value < least) {
    std::string words(name);
    std::ranges::replace(words, '-', ' ');
    throw OptionError(fmt::format("{} = {}: must be at least {}", words, text, least));
  }
  return static_cast<Whole>(*value);
}

/// One of the values of the table.
void require_choice(std::string_view name, const std::string& text) {
  const std::string_view all = option_text(name).value;
  for (std::size_t begin = 0; begin <= all.size();) {
    const std::size_t end = std::min(all.find('|', begin), all.size());
    if (all.substr(begin, end - begin) == text) return;
    begin = end + 1;
  }
  throw OptionError(fmt::format("{} = {}: must be one of {}", name, text, all));
}

template <class Enum>
Enum choice(std::string_view name, const std::string& text) {
  require_choice(name, text);
  return *value_of<Enum>(text);
}

bool yes(std::string_view name, const std::string& text) {
  require_choice(name, text);
  return text == "yes";
}

Costs costs_in(const std::string& text) {
  const std::vector<double> all = number_list("costs", text);
  if (all.size() == 4) return {all[0], all[1], all[2], all[3]};
  throw OptionError(
      fmt::format("costs = {}: must be four numbers, FP,FN,REJECT_POS,REJECT_NEG", text));
}

void add_class_weight(Objective& objective, const std::string& item) {
  if (item == "balanced") {
    objective.balanced = true;
    return;
  }
  const std::size_t equals = item.rfind('=');
  const auto weight =
      equals == std::string::npos ? std::nullopt : number_in(item.substr(equals + 1));
  if (!weight) {
    throw OptionError(fmt::format("class weight {}: must be LABEL=NUMBER or balanced", item));
  }
  if (!objective.class_weights.emplace(item.substr(0, equals), *weight).second) {
    throw OptionError(fmt::format("class weight {}: this class has one already", item));
  }
}

std::size_t cache_bytes(const std::string& text) {
  const double mb = number("cache-mb", text);
  if (!(mb >= 0) || mb > 1e9) {
    throw OptionError(fmt::format("cache-mb = {}: must be in 0 … 1e9", mb));
  }
  return static_cast<std::size_t>(mb * 1024 * 1024);
}

std::vector<Gamma> gammas_in(const std::string& text) {
  if (text == "scale" || text == "auto") return {gamma_in(text)};
  const std::vector<double> numbers = number_list("gamma", text);
  return {numbers.begin(), numbers.end()};
}

using Settings = TrainingSettings;
using Set = void (*)(Settings&, std::string_view name, const std::string& text);

struct Setter {
  std::string_view name;
  Set set;
};

constexpr std::array setters = {
    Setter{"loss",
           [](Settings& s, auto name, auto& text) {
             s.options.objective.loss = choice<LossKind>(name, text);
           }},
    Setter{"reject-cost",
           [](Settings& s, auto name, auto& text) { s.reject_cost = number(name, text); }},
    Setter{"costs", [](Settings& s, auto, auto& text) { s.costs = costs_in(text); }},
    Setter{"C",
           [](Settings& s, auto name, auto& text) { s.options.objective.C = number(name, text); }},
    Setter{"mu",
           [](Settings& s, auto name, auto& text) { s.options.objective.mu = number(name, text); }},
    Setter{"gamma",
           [](Settings& s, auto, auto& text) {
             s.options.representation.kernel.gamma = gamma_in(text);
           }},
    Setter{"band-folds",
           [](Settings& s, auto name, auto& text) {
             s.band_folds = whole_number<std::size_t>(name, text);
           }},
    Setter{"kernel",
           [](Settings& s, auto name, auto& text) {
             s.options.representation.kernel.type = choice<KernelType>(name, text);
           }},
    Setter{"degree",
           [](Settings& s, auto name, auto& text) {
             s.options.representation.kernel.degree = whole_number<int>(name, text);
           }},
    Setter{"coef0",
           [](Settings& s, auto name, auto& text) {
             s.options.representation.kernel.coef0 = number(name, text);
           }},
    Setter{"landmarks",
           [](Settings& s, auto name, auto& text) {
             s.options.representation.kernel.landmarks = whole_number<std::size_t>(name, text, 1);
           }},
    Setter{"features",
           [](Settings& s, auto name, auto& text) {
             s.options.representation.kernel.features = whole_number<std::size_t>(name, text, 1);
           }},
    Setter{"scale",
           [](Settings& s, auto name, auto& text) {
             require_choice(name, text);
             s.scaling = value_of<ScalingKind>(text);  // nothing for "auto"
           }},
    Setter{"unfamiliar",
           [](Settings& s, auto name, auto& text) {
             s.options.representation.unfamiliar = number(name, text);
           }},
    Setter{"class-weight",
           [](Settings& s, auto, auto& text) { add_class_weight(s.options.objective, text); }},
    Setter{"missing",
           [](Settings& s, auto name, auto& text) {
             s.missing = choice<MissingChoice>(name, text);
           }},
    Setter{"tolerance",
           [](Settings& s, auto name, auto& text) {
             s.options.exactness.tolerance = number(name, text);
           }},
    Setter{"solver",
           [](Settings& s, auto name, auto& text) {
             s.options.exactness.solver = choice<SolverKind>(name, text);
           }},
    Setter{"precision",
           [](Settings& s, auto name, auto& text) {
             s.options.exactness.precision = choice<Precision>(name, text);
           }},
    Setter{"max-rounds",
           [](Settings& s, auto name, auto& text) {
             s.options.exactness.max_rounds = whole_number<std::size_t>(name, text);
           }},
    Setter{"max-steps",
           [](Settings& s, auto name, auto& text) {
             s.options.exactness.max_steps = whole_number<std::uint64_t>(name, text, 1);
           }},
    Setter{"max-seconds",
           [](Settings& s, auto name, auto& text) {
             s.options.exactness.max_seconds = number(name, text);
             if (s.options.exactness.max_seconds == 0) {  // means "no limit" inside
               throw OptionError("max seconds = 0: must be > 0 and finite");
             }
           }},
    Setter{"cache-mb",
           [](Settings& s, auto, auto& text) {
             s.options.resources.cache_bytes = cache_bytes(text);
           }},
    Setter{"threads",
           [](Settings& s, auto name, auto& text) {
             s.options.resources.threads = whole_number<unsigned>(name, text);
           }},
    Setter{"training-cost",
           [](Settings& s, auto, auto& text) {
             s.grid.training_cost = number_list("training-cost", text);
           }},
    Setter{"folds",
           [](Settings& s, auto name, auto& text) {
             s.folds.folds = whole_number<std::size_t>(name, text);
           }},
    Setter{"repeats",
           [](Settings& s, auto name, auto& text) {
             s.folds.repeats = whole_number<std::size_t>(name, text);
           }},
    Setter{"seed",
           [](Settings& s, auto name, auto& text) {
             s.folds.seed = whole_number<std::uint64_t>(name, text);
           }},
    Setter{"stratify",
           [](Settings& s, auto name, auto& text) { s.folds.stratified = yes(name, text); }},
    Setter{"nested", [](Settings& s, auto name, auto& text) { s.nested = yes(name, text); }},
};

constexpr std::array grid_setters = {
    Setter{"C", [](Settings& s, auto name,
                   auto& text) { s.grid.C = number_list(std::string(name), text); }},
    Setter{"gamma", [](Settings& s, auto, auto& text) { s.grid.gamma = gammas_in(text); }},
    Setter{"mu", [](Settings& s, auto name,
                    auto& text) { s.grid.mu = number_list(std::string(name), text); }},
};

}  // namespace

std::span<const Named<MissingChoice>> names_of(MissingChoice) {
  using enum MissingChoice;
  static constexpr auto names = std::to_array<Named<MissingChoice>>(
      {{indicator, "indicator"}, {median, "median"}, {drop, "drop"}, {refuse, "refuse"}});
  return names;
}

Gamma gamma_in(const std::string& text) {
  if (text == "scale") return GammaRule::scale;
  if (text == "auto") return GammaRule::inverse_features;
  if (const auto number = number_in(text)) return *number;
  throw OptionError(fmt::format("gamma = {}: must be a number > 0, scale or auto", text));
}

void TrainingSettings::set(std::string_view name, const std::string& text, bool lists) {
  const auto set_by = [&](std::span<const Setter> some) {
    const auto found = std::ranges::find(some, name, &Setter::name);
    if (found == some.end()) return false;
    found->set(*this, found->name, text);
    return true;
  };
  if (lists && set_by(grid_setters)) return;
  if (!set_by(setters)) static_cast<void>(option_text(name));  // throws
}

TrainOptions TrainingSettings::method() const {
  if (reject_cost && costs) throw OptionError("costs: not together with reject-cost");
  return method(options.objective.loss,
                costs ? *costs : Costs::symmetric(reject_cost.value_or(Costs{}.reject_positive)));
}

TrainOptions TrainingSettings::method(LossKind loss, const Costs& of_decisions) const {
  of_decisions.validate();
  TrainOptions method = options;
  method.representation.scaling = scaling.value_or(ScalingKind::none);
  method.band.folds = band_folds.value_or(default_band_folds(loss));
  method.objective.loss = loss;
  method.objective.costs = of_decisions;
  // The hinge loss has no costs; they decide only where its band is put.
  if (!traits_of(loss).uses_costs && method.band.folds > 0 && !of_decisions.is_symmetric()) {
    method.objective.costs = {};
    method.band.decide_for = of_decisions;
  }
  method.validate();
  return method;
}

TuneGrid TrainingSettings::tune_grid() const {
  TuneGrid found = TuneGrid::standard(options.representation.kernel);
  // What was asked for is tried, no less and no more.
  if (!grid.C.empty()) {
    found.C = grid.C;
    found.widens_C = false;
  }
  if (!grid.gamma.empty()) {
    found.gamma = grid.gamma;
    found.widens_gamma = false;
  }
  found.mu = grid.mu;
  found.training_cost = grid.training_cost;
  return found;
}

}  // namespace rampart
