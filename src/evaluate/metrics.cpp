#include "rampart/metrics.hpp"

#include <fmt/format.h>

#include <cmath>

#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "train/scored_rows.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

constexpr std::size_t negative = 0;
constexpr std::size_t positive = 1;
constexpr std::size_t answer_negative = index_of(Decision::negative);
constexpr std::size_t answer_reject = index_of(Decision::reject);
constexpr std::size_t answer_positive = index_of(Decision::positive);

double fraction(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

std::size_t Metrics::class_rows(std::size_t class_index) const {
  const auto& row = table.at(class_index);
  return row[answer_negative] + row[answer_reject] + row[answer_positive];
}

std::size_t Metrics::rows() const { return class_rows(negative) + class_rows(positive); }

std::size_t Metrics::answered() const { return rows() - rejected(); }

std::size_t Metrics::rejected() const {
  return table[negative][answer_reject] + table[positive][answer_reject];
}

std::size_t Metrics::errors() const {
  return table[negative][answer_positive] + table[positive][answer_negative];
}

double Metrics::risk() const {
  const double cost = static_cast<double>(table[negative][answer_positive]) * costs.false_positive +
                      static_cast<double>(table[positive][answer_negative]) * costs.false_negative +
                      static_cast<double>(table[positive][answer_reject]) * costs.reject_positive +
                      static_cast<double>(table[negative][answer_reject]) * costs.reject_negative;
  return cost / static_cast<double>(rows());
}

double Metrics::coverage() const { return fraction(answered(), rows()); }

double Metrics::rejection_rate() const { return fraction(rejected(), rows()); }

std::optional<double> Metrics::accepted_accuracy() const {
  if (answered() == 0) return std::nullopt;
  return fraction(answered() - errors(), answered());
}

std::optional<double> Metrics::class_rejection_rate(std::size_t class_index) const {
  if (class_rows(class_index) == 0) return std::nullopt;
  return fraction(table.at(class_index)[answer_reject], class_rows(class_index));
}

Metrics& Metrics::operator+=(const Metrics& other) {
  RAMPART_ASSERT(costs == other.costs, "rows of different costs cannot be pooled");
  for (std::size_t c = 0; c < table.size(); ++c) {
    for (std::size_t a = 0; a < table[c].size(); ++a) table[c][a] += other.table[c][a];
  }
  return *this;
}

Metrics measure(std::span<const double> scores, std::span<const std::int8_t> y, double rho,
                const Costs& costs) {
  require_scored_rows(scores, y);
  Metrics metrics{.costs = costs};
  for (std::size_t n = 0; n < y.size(); ++n) {
    ++metrics.table[y[n] > 0 ? positive : negative][index_of(decide(scores[n], rho))];
  }
  return metrics;
}

Metrics evaluate(const Model& model, const Problem& data, unsigned threads) {
  const Surface& surface = model.surface();
  const ClassNames classes = model.class_names();
  if (data.classes == ClassNames{classes.positive, classes.negative}) {
    throw ModelError("the classes of the data are those of the model in reverse");
  }
  for (std::size_t n = 0; n < data.y.size(); ++n) {
    if (data.y[n] != 1 && data.y[n] != -1) {
      throw InputError(fmt::format("row {}: label {} is neither -1 nor 1", n + 1, data.y[n]));
    }
  }
  return measure(certainties(Predictor(model, threads).answers(data.x)), data.y, surface.band.rho,
                 surface.costs());
}

}  // namespace rampart
