#include "evaluate/worklist.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <unordered_map>
#include <utility>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

constexpr double rare = 0.1;  // a category that at most so many of the rows have

/// What is usual in one column of numbers, or how often its categories are met.
struct Usual {
  double middle = 0;
  double sd = 0;               ///< 0: nothing varies
  std::vector<double> shares;  ///< by code; empty: numbers
};

/// Mean and standard deviation of the values that are there.
Usual measured(const Rows& x, std::uint32_t column) {
  double count = 0;
  double mean = 0;
  double squares = 0;  // about the mean, by Welford's recurrence
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double value = value_of(x, n, column);
    if (std::isnan(value)) continue;
    ++count;
    const double before = value - mean;
    mean += before / count;
    squares += before * (value - mean);
  }
  return {mean, count > 0 ? std::sqrt(squares / count) : 0, {}};
}

std::vector<double> shares_of(const Rows& x, std::uint32_t column, std::size_t categories) {
  std::vector<double> shares(categories, 0);
  for (std::size_t n = 0; n < x.size(); ++n) {
    const double code = value_of(x, n, column);
    if (code >= 0 && code < static_cast<double>(categories)) {
      shares[static_cast<std::size_t>(code)] += 1.0 / static_cast<double>(x.size());
    }
  }
  return shares;
}

/// Learns what is usual in a column when a listed row has a value there.
class UsualValues {
 public:
  UsualValues(const Model& model, const Rows& x, const std::vector<OriginalColumn>& columns)
      : model_(model), x_(x), columns_(columns), features_(features_of(model, columns)) {}

  [[nodiscard]] bool of_training() const {
    return !model_.encoding.columns.empty() || model_.scaling.kind == ScalingKind::standard;
  }

  const Usual& operator()(std::size_t c) {
    const auto [at, fresh] = known_.try_emplace(c);
    if (fresh) at->second = look_at(c);
    return at->second;
  }

 private:
  [[nodiscard]] Usual look_at(std::size_t c) const {
    const OriginalColumn& column = columns_[c];
    const std::size_t categories = categories_of(model_, column).size();
    if (categories > 0) return {0, 0, shares_of(x_, column.index, categories)};
    const Scaling& scaling = model_.scaling;
    const std::uint32_t feature = features_[c].front().index;
    const bool scaled = scaling.kind == ScalingKind::standard && scaling.factor[feature] != 0;
    Usual usual = scaled ? Usual{scaling.offset[feature], 1 / scaling.factor[feature], {}}
                         : measured(x_, column.index);
    if (!model_.encoding.columns.empty()) usual.middle = model_.encoding.columns[column.index].fill;
    return usual;
  }

  const Model& model_;
  const Rows& x_;
  const std::vector<OriginalColumn>& columns_;
  std::vector<std::vector<NamedFeature>> features_;
  std::unordered_map<std::size_t, Usual> known_;
};

/// How unusual a value is: for a category, what its 0/1 feature is from its mean in standard
/// deviations.
double strangeness(const StandOut& of) {
  return of.share ? std::sqrt((1 - *of.share) / *of.share) : std::abs(of.distance);
}

std::optional<StandOut> stand_out(std::size_t c, double value, const Usual& usual) {
  if (std::isnan(value)) return std::nullopt;
  if (!usual.shares.empty()) {
    if (!(value >= 0 && value < static_cast<double>(usual.shares.size()))) return std::nullopt;
    const double share = usual.shares[static_cast<std::size_t>(value)];
    if (share > rare) return std::nullopt;
    return StandOut{.column = c, .value = value, .share = share};
  }
  const double distance = usual.sd > 0 ? (value - usual.middle) / usual.sd : 0;
  if (!(std::abs(distance) >= 1) || !std::isfinite(distance)) return std::nullopt;
  return StandOut{.column = c, .value = value, .usual = usual.middle, .distance = distance};
}

}  // namespace

Worklist worklist(const Model& model, const Dataset& data, std::span<const Answer> answers,
                  const std::vector<OriginalColumn>& columns, const WorklistOptions& options) {
  if (answers.size() != data.size()) throw InputError("there must be one answer for each row");
  Worklist list;
  for (std::size_t n = 0; n < answers.size(); ++n) {
    if (answers[n].decision == Decision::reject) list.rows.push_back({n, {}});
  }
  list.total = list.rows.size();
  std::ranges::stable_sort(list.rows, std::less{}, [&](const WorklistRow& row) {
    return std::abs(answers[row.row].certainty());
  });
  if (list.rows.size() > options.most_rows) list.rows.resize(options.most_rows);

  std::unordered_map<std::size_t, std::size_t> place_of;  // of a column among those given
  for (std::size_t c = 0; c < columns.size(); ++c) place_of[columns[c].index] = c;
  UsualValues usual(model, data.x, columns);
  list.usual_of_training = usual.of_training();
  for (WorklistRow& row : list.rows) {
    data.x.for_each(row.row, [&](std::size_t j, double value) {
      const auto place = place_of.find(j);
      if (place == place_of.end()) return;
      const auto found = stand_out(place->second, value, usual(place->second));
      if (found) row.stands_out.push_back(*found);
    });
    std::ranges::stable_sort(row.stands_out, std::greater{}, strangeness);
    if (row.stands_out.size() > options.most_stand_outs) {
      row.stands_out.resize(options.most_stand_outs);
    }
  }
  return list;
}

}  // namespace rampart
