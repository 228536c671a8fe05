#include "rampart/io.hpp"

namespace rampart {

FeatureLayout layout_of(const Problem& data) {
  return {.count = data.x.columns(),
          .names = {data.features.begin(), data.features.end()},
          .label = std::string(data.label),
          .categories = {data.categories.begin(), data.categories.end()},
          .id = std::string(data.id),
          .fields = {data.fields.begin(), data.fields.end()},
          .file_columns = data.file_columns,
          .missing_values = {data.missing_values.begin(), data.missing_values.end()}};
}

}  // namespace rampart
