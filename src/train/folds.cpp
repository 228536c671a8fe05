#include "train/folds.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "rampart/errors.hpp"
#include "util/random.hpp"

namespace rampart {
namespace {

/// Different pairs of seed and repetition get different random streams: seed 1, repeat 2 is not
/// seed 2, repeat 1.
Random generator(std::uint64_t seed, std::size_t repeat) {
  return Random(seed ^ (0x9e3779b97f4a7c15ULL * (repeat + 1)));
}

std::size_t class_of(std::int8_t y) { return y > 0 ? 1 : 0; }

std::array<std::size_t, 2> class_sizes(std::span<const std::int8_t> y) {
  std::array<std::size_t, 2> sizes{};
  for (const std::int8_t label : y) ++sizes[class_of(label)];
  return sizes;
}

std::vector<std::size_t> deal_rows(std::span<const std::int8_t> y, const FoldOptions& options,
                                   Random& random) {
  std::vector<std::size_t> order(y.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  shuffle(std::span(order), random, order.size());
  if (options.stratified) {
    std::ranges::stable_sort(order, {}, [&](std::size_t n) { return class_of(y[n]); });
  }
  std::vector<std::size_t> fold_of(y.size());
  for (std::size_t k = 0; k < order.size(); ++k) fold_of[order[k]] = k % options.folds;
  return fold_of;
}

/// Rows that stay together, counted by class.
struct Group {
  std::vector<std::size_t> rows;
  std::array<std::size_t, 2> sizes{};
};

std::vector<Group> group_rows(std::span<const std::int8_t> y, std::span<const std::string> names) {
  std::map<std::string, std::size_t> index_of;
  std::vector<Group> groups;  // in the order of their first rows
  for (std::size_t n = 0; n < y.size(); ++n) {
    const auto [at, fresh] = index_of.try_emplace(names[n], groups.size());
    if (fresh) groups.emplace_back();
    Group& group = groups[at->second];
    group.rows.push_back(n);
    ++group.sizes[class_of(y[n])];
  }
  return groups;
}

std::vector<std::size_t> deal_groups(std::span<const std::int8_t> y, std::vector<Group> groups,
                                     const FoldOptions& options, Random& random) {
  shuffle(std::span(groups), random, groups.size());
  std::ranges::stable_sort(groups, std::greater{}, [](const Group& g) { return g.rows.size(); });
  const std::array<std::size_t, 2> totals = class_sizes(y);

  // Each group goes to the fold where the sum of the squared class shares grows least, which keeps
  // folds nearly equal. Without stratification both classes count as one.
  std::vector<std::array<std::size_t, 2>> held(options.folds);
  const auto growth = [&](std::size_t fold, const Group& group) {
    const auto in_class = [](std::size_t has, std::size_t gets, std::size_t of) {
      const auto total = static_cast<double>(std::max<std::size_t>(1, of));
      const double share = static_cast<double>(gets) / total;
      return share * (2 * static_cast<double>(has) / total + share);
    };
    const auto& has = held[fold];
    const auto& gets = group.sizes;
    if (!options.stratified) return in_class(has[0] + has[1], gets[0] + gets[1], y.size());
    return in_class(has[0], gets[0], totals[0]) + in_class(has[1], gets[1], totals[1]);
  };
  const auto is_empty = [](const std::array<std::size_t, 2>& fold) {
    return fold[0] + fold[1] == 0;
  };
  std::vector<std::size_t> fold_of(y.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::size_t best = 0;
    for (std::size_t fold = 1; fold < options.folds; ++fold) {
      if (growth(fold, groups[g]) < growth(best, groups[g])) best = fold;
    }
    // The last groups fill folds that are still empty.
    const auto empty = static_cast<std::size_t>(std::ranges::count_if(held, is_empty));
    if (empty == groups.size() - g) {
      best = static_cast<std::size_t>(std::ranges::find_if(held, is_empty) - held.begin());
    }
    for (const std::size_t n : groups[g].rows) fold_of[n] = best;
    for (const std::size_t c : {0, 1}) held[best][c] += groups[g].sizes[c];
  }
  return fold_of;
}

}  // namespace

std::vector<std::size_t> assign_folds(std::span<const std::int8_t> y,
                                      std::span<const std::string> groups,
                                      const FoldOptions& options, std::size_t repeat) {
  if (options.folds < 2) {
    throw OptionError(fmt::format("folds = {}: must be at least 2", options.folds));
  }
  if (options.folds > y.size()) {
    throw OptionError(fmt::format("folds = {}: there are only {} rows", options.folds, y.size()));
  }
  Random random = generator(options.seed, repeat);
  if (!groups.empty()) {
    if (groups.size() != y.size()) {
      throw InputError(
          fmt::format("{} rows and {} groups do not belong together", y.size(), groups.size()));
    }
    std::vector<Group> grouped = group_rows(y, groups);
    if (grouped.size() < options.folds) {
      throw OptionError(
          fmt::format("folds = {}: there are only {} groups", options.folds, grouped.size()));
    }
    return deal_groups(y, std::move(grouped), options, random);
  }
  const std::array<std::size_t, 2> sizes = class_sizes(y);
  const std::size_t smaller = std::min(sizes[0], sizes[1]);
  if (options.stratified && options.folds > smaller) {
    throw OptionError(fmt::format(
        "folds = {}: the smaller class has only {} rows, and every fold must have its share",
        options.folds, smaller));
  }
  return deal_rows(y, options, random);
}

Split split_at(std::span<const std::size_t> fold_of, std::size_t fold) {
  Split split;
  for (std::size_t n = 0; n < fold_of.size(); ++n) {
    (fold_of[n] == fold ? split.test : split.training).push_back(n);
  }
  return split;
}

Split hold_out(std::span<const std::int8_t> y, std::span<const std::string> groups, double share,
               std::uint64_t seed) {
  if (!(share > 0 && share < 1)) {
    throw OptionError(fmt::format("holdout = {}: must lie between 0 and 1", share));
  }
  if (!groups.empty() && groups.size() != y.size()) {
    throw InputError(fmt::format("{} groups for {} rows", groups.size(), y.size()));
  }
  Random random = generator(seed, 0);
  std::vector<std::size_t> fold_of(y.size(), 0);  // 1: held out
  const auto take = [&](std::span<const std::size_t> rows) {
    for (const std::size_t n : rows) fold_of[n] = 1;
  };
  if (groups.empty()) {
    std::array<std::vector<std::size_t>, 2> of_class;
    for (std::size_t n = 0; n < y.size(); ++n) of_class[class_of(y[n])].push_back(n);
    for (std::vector<std::size_t>& rows : of_class) {
      shuffle(std::span(rows), random, rows.size());
      const auto wanted =
          static_cast<std::size_t>(std::lround(share * static_cast<double>(rows.size())));
      const std::size_t most = rows.empty() ? 0 : rows.size() - 1;
      take(std::span(rows).first(
          std::clamp<std::size_t>(wanted, std::min<std::size_t>(1, most), most)));
    }
  } else {
    const std::vector<Group> all = group_rows(y, groups);
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    shuffle(std::span(order), random, order.size());
    const std::array<std::size_t, 2> sizes = class_sizes(y);
    std::array<double, 2> missing{};  // rows of each class that are still to be taken
    for (std::size_t c = 0; c < 2; ++c) missing[c] = share * static_cast<double>(sizes[c]);
    // How far both classes are from the share, as parts of the class.
    const auto distance = [&](const std::array<double, 2>& rows) {
      double sum = 0;
      for (std::size_t c = 0; c < 2; ++c) {
        sum += std::abs(rows[c]) / static_cast<double>(std::max<std::size_t>(sizes[c], 1));
      }
      return sum;
    };
    for (const std::size_t g : order) {
      std::array<double, 2> with = missing;
      for (std::size_t c = 0; c < 2; ++c) with[c] -= static_cast<double>(all[g].sizes[c]);
      if (distance(with) >= distance(missing)) continue;
      take(all[g].rows);
      missing = with;
    }
  }
  Split split = split_at(fold_of, 1);
  const auto has_both = [&](std::span<const std::size_t> rows) {
    const auto positive = [&](std::size_t n) { return y[n] > 0; };
    return std::ranges::any_of(rows, positive) && !std::ranges::all_of(rows, positive);
  };
  if (split.test.empty() || !has_both(split.training)) {
    throw OptionError(
        fmt::format("holdout = {}: too few rows or groups to train and to test on", share));
  }
  return split;
}

}  // namespace rampart
