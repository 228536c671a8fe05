#include "model/losses.hpp"

#include <array>

#include "model/loss.hpp"

namespace rampart {
namespace {

/// d of the convex losses, whose costs are symmetric.
double reject_cost(const Objective& objective) { return objective.costs.reject_positive; }

HingeForm double_ramp(const Objective& objective) {
  const Costs& costs = objective.costs;
  const double mu = objective.mu;
  const double scale = objective.C / mu;
  HingeForm form{.hinges = {}, .floor = -mu * mu};
  if (!costs.rejecting_can_pay()) {  // d = 1/2: one surface, ρ = 0, the plain ramp loss
    form.hinges = {{mu, 0, scale * costs.false_negative, scale * costs.false_positive}};
    return form;
  }
  form.offsets = 2;
  form.hinges = {{mu, 0, scale * costs.reject_positive,
                  scale * (costs.false_positive - costs.reject_negative)},
                 {mu, 1, scale * (costs.false_negative - costs.reject_positive),
                  scale * costs.reject_negative}};
  return form;
}

HingeForm double_hinge(const Objective& objective) {
  const DoubleHingeLoss loss{reject_cost(objective)};
  const double below = objective.C * loss.d;
  const double kink = objective.C * (1 - 2 * loss.d);
  return {.hinges = {{loss.entropy() / loss.d, 0, below, below}, {0, 0, kink, kink}},
          .rho = loss.threshold()};
}

HingeForm generalized_hinge(const Objective& objective) {
  const GeneralizedHingeLoss loss{reject_cost(objective)};
  const double C = objective.C;
  const double kink = C * (1 - 2 * loss.d) / loss.d;
  return {.hinges = {{1, 0, C, C}, {0, 0, kink, kink}}, .rho = loss.threshold()};
}

HingeForm hinge(const Objective& objective) {
  return {.hinges = {{1, 0, objective.C, objective.C}}};
}

/// Every loss. To add a convex loss of at most two hinges, add a line here, a value of LossKind,
/// and tests.
struct Entry {
  LossTraits traits;
  HingeForm (*form)(const Objective&);
};
constexpr std::array entries{
    Entry{{LossKind::double_ramp, "double-ramp", true, true}, double_ramp},
    Entry{{LossKind::double_hinge, "double-hinge", false, true}, double_hinge},
    Entry{{LossKind::generalized_hinge, "generalized-hinge", false, true}, generalized_hinge},
    Entry{{LossKind::hinge, "hinge", false, false}, hinge},
};

constexpr bool in_order() {
  for (std::size_t k = 0; k < entries.size(); ++k) {
    if (entries[k].traits.kind != static_cast<LossKind>(k)) return false;
  }
  return true;
}
static_assert(in_order(), "the lines stand in the order of LossKind");

const Entry& entry_of(LossKind loss) { return entries.at(static_cast<std::size_t>(loss)); }

}  // namespace

const LossTraits& traits_of(LossKind loss) { return entry_of(loss).traits; }

std::span<const Named<LossKind>> names_of(LossKind) {
  static constexpr auto table = [] {
    std::array<Named<LossKind>, entries.size()> names{};
    for (std::size_t k = 0; k < names.size(); ++k) {
      names[k] = {entries[k].traits.kind, entries[k].traits.name};
    }
    return names;
  }();
  return table;
}

HingeForm hinge_form(const Objective& objective) {
  return entry_of(objective.loss).form(objective);
}

}  // namespace rampart
