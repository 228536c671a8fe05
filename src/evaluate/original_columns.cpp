#include "evaluate/original_columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluate/used_columns.hpp"

namespace rampart {
std::vector<OriginalColumn> original_columns(const Model& model, const Rows& x) {
  std::vector<OriginalColumn> columns;
  if (std::holds_alternative<PrecomputedKernel>(model.kernel)) return columns;
  for (const std::uint32_t j : columns_with_values(x)) {
    if (j >= model.features.count) break;
    columns.push_back(
        {model.features.names.empty() ? fmt::format("feature {}", j + 1) : model.features.names[j],
         j});
  }
  return columns;
}

const std::vector<std::string>& categories_of(const Model& model, const OriginalColumn& column) {
  static const std::vector<std::string> none;
  const Categories& categories = model.features.categories;
  return column.index < categories.size() ? categories[column.index] : none;
}

std::vector<std::vector<NamedFeature>> features_of(const Model& model,
                                                   const std::vector<OriginalColumn>& columns) {
  const std::vector<std::uint32_t> first = model.encoding.first_features();
  std::vector<std::vector<NamedFeature>> features;
  for (const OriginalColumn& column : columns) {
    std::vector<NamedFeature>& own = features.emplace_back();
    if (first.empty()) {
      own.push_back({column.name, column.index});
      continue;
    }
    const Encoding::Column& encoded = model.encoding.columns[column.index];
    std::uint32_t next = first[column.index];
    if (encoded.seen.empty()) own.push_back({column.name, next++});
    const std::vector<std::string>& names = categories_of(model, column);
    for (std::size_t code = 0; code < encoded.seen.size(); ++code) {
      if (!encoded.seen[code]) continue;
      const std::string category = code < names.size() ? names[code] : std::to_string(code);
      own.push_back({fmt::format("{} = {}", column.name, category), next++});
    }
    if (encoded.indicator) own.push_back({column.name + " is missing", next});
  }
  return features;
}

double value_of(const Rows& x, std::size_t n, std::uint32_t j) {
  if (x.is_dense()) return j < x.columns() ? x.dense_row(n)[j] : 0.0;
  const Rows::Sparse row = x.sparse_row(n);
  const auto found = std::ranges::lower_bound(row.indices, j);
  if (found == row.indices.end() || *found != j) return 0;
  return row.values[static_cast<std::size_t>(found - row.indices.begin())];
}

}  // namespace rampart
