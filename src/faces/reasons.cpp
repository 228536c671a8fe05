#include "faces/reasons.hpp"

#include <cmath>

#include <fmt/format.h>

#include "util/text.hpp"

namespace rampart {

std::string column_in_words(const FeatureLayout& columns, std::size_t column) {
  if (column < columns.names.size() && !columns.names[column].empty()) {
    return fmt::format("column {}", quoted(columns.names[column]));
  }
  return fmt::format("column {}",
                     column < columns.fields.size() ? columns.fields[column] : column + 1);
}

std::string detail_of(const Answer& answer, const Model& model, double value,
                      const std::string& unseen, const std::string& fault) {
  const std::string column = column_in_words(model.features, answer.column);
  switch (answer.reason) {
    case Reason::none:
    case Reason::ambiguous:
      return "";
    case Reason::unreadable:
      return fault;
    case Reason::incomplete:
      return fmt::format("{} has no value", column);
    case Reason::unseen:
      return unseen.empty()
                 ? fmt::format("{} holds a category that training never met", column)
                 : fmt::format("{} is {}, which training never met", column, quoted(unseen));
    case Reason::unfamiliar:
      break;
  }
  if (std::isnan(answer.score) && !model.familiar.is_strange(answer.column, value)) {
    return fmt::format("{} is {}: f(x) is not finite, the numbers are too large to compute with",
                       column, value);
  }
  return fmt::format("{} is {}", column, model.familiar.describe(answer.column, value));
}

std::string reason_and_detail(Reason reason, const std::string& detail) {
  return detail.empty() ? std::string(to_string(reason))
                        : fmt::format("{}: {}", to_string(reason), detail);
}

}  // namespace rampart
