#include "journal/tuning_folds.hpp"

#include <cstdint>
#include <numeric>
#include <string>

namespace rampart::tool {

const FoldRows& TuningFolds::at(std::size_t part, std::size_t repeat, std::size_t fold) {
  const auto found = dealt_.find({part, repeat});
  if (found != dealt_.end()) return found->second.at(fold);
  return dealt_.emplace(std::pair(part, repeat), deal(part, repeat)).first->second.at(fold);
}

std::vector<FoldRows> TuningFolds::deal(std::size_t part, std::size_t repeat) const {
  std::vector<std::size_t> rows(data_.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  if (part > 0) {
    rows = split_at(assign_folds(data_.y, data_.groups, options_, 0), part - 1).training;
  }
  std::vector<std::int8_t> y;
  std::vector<std::string> groups;
  for (const std::size_t n : rows) {
    y.push_back(data_.y[n]);
    if (!data_.groups.empty()) groups.push_back(data_.groups[n]);
  }
  const std::vector<std::size_t> fold_of = assign_folds(y, groups, options_, repeat);
  std::vector<FoldRows> folds(options_.folds, {.test = {0, 0}, .training = y.size()});
  for (std::size_t n = 0; n < y.size(); ++n) {
    ++folds[fold_of[n]].test[y[n] > 0];
    --folds[fold_of[n]].training;
  }
  return folds;
}

}  // namespace rampart::tool
