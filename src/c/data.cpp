#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <span>

#include <fmt/format.h>

#include "c/handles.hpp"
#include "data/number_like.hpp"
#include "util/text.hpp"

using namespace rampart;
using namespace rampart::c;

namespace {

/// How many values `count` steps of `step` values span. Throws BadCall if no memory is that large.
std::size_t product(std::size_t count, std::size_t step) {
  constexpr std::size_t most = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(double);
  if (step != 0 && count > most / step)
    throw BadCall("rows and columns: more than memory can hold");
  return count * step;
}

template <class Value>
RowsView dense_view(const Value* values, std::size_t rows, std::size_t columns, std::ptrdiff_t row,
                    std::ptrdiff_t column, std::vector<Value>& own) {
  const std::size_t size = product(rows, columns);
  if (size == 0) return RowsView::dense(std::span<const Value>(), rows, columns);
  required(values, "values");
  const bool in_place =
      (column == 1 || columns == 1) && (rows == 1 || (row >= 0 && std::size_t(row) >= columns));
  if (in_place) {
    const std::size_t stride = rows == 1 ? columns : static_cast<std::size_t>(row);
    return RowsView::dense({values, product(rows - 1, stride) + columns}, rows, columns, stride);
  }
  own.resize(size);
  for (std::size_t n = 0; n < rows; ++n) {
    for (std::size_t j = 0; j < columns; ++j) {
      own[n * columns + j] =
          values[static_cast<std::ptrdiff_t>(n) * row + static_cast<std::ptrdiff_t>(j) * column];
    }
  }
  return RowsView::dense(std::span<const Value>(own), rows, columns);
}

template <class Index, class Value>
RowsView sparse_view(const void* starts, const void* indices, const void* values, std::size_t rows,
                     std::size_t columns) {
  const auto* first = static_cast<const Index*>(starts);
  const Index count = first[rows];
  if (count < 0) throw InputError("starts: do not rise");
  if (count > 0) {
    required(static_cast<const char*>(indices), "indices");
    required(static_cast<const char*>(values), "values");
  }
  const auto size = static_cast<std::size_t>(count);
  return RowsView::sparse(columns, std::span<const Index>(first, rows + 1),
                          std::span<const Index>(static_cast<const Index*>(indices), size),
                          std::span<const Value>(static_cast<const Value*>(values), size));
}

template <class Index>
RowsView sparse_view(const void* starts, const void* indices, const void* values, rampart_type type,
                     std::size_t rows, std::size_t columns) {
  if (type == RAMPART_FLOAT32) {
    return sparse_view<Index, float>(starts, indices, values, rows, columns);
  }
  if (type == RAMPART_FLOAT64) {
    return sparse_view<Index, double>(starts, indices, values, rows, columns);
  }
  throw BadCall("type: values are RAMPART_FLOAT32 or RAMPART_FLOAT64");
}

std::vector<std::string> texts(const char* const* from, std::size_t count, const char* name) {
  if (count > 0) required(from, name);
  std::vector<std::string> all;
  for (std::size_t k = 0; k < count; ++k) {
    all.emplace_back(&required(from[k], name));
    if (!is_utf8(all.back())) {  // a model file could not hold it
      throw InputError(fmt::format("{}: {} is not UTF-8", name, quoted(all.back())));
    }
  }
  return all;
}

/// For each category of the data its place in the model's list.
std::vector<double> places_in(const std::vector<std::string>& model,
                              const std::vector<std::string>& data) {
  std::map<std::string, double, std::less<>> places;
  for (std::size_t k = 0; k < model.size(); ++k) places.emplace(model[k], static_cast<double>(k));
  std::vector<double> found;
  for (const std::string& name : data) {
    const auto place = places.find(name);
    found.push_back(place == places.end() ? unseen_category : place->second);
  }
  return found;
}

void require_names_of(const Model& model, const rampart_data& data) {
  if (model.features.names.empty() || data.names.empty()) return;
  for (std::size_t j = 0; j < std::min(data.names.size(), model.features.names.size()); ++j) {
    if (data.names[j] == model.features.names[j]) continue;
    throw InputError(fmt::format("column {} is {}, the model has {} there", j + 1,
                                 quoted(data.names[j]), quoted(model.features.names[j])));
  }
}

}  // namespace

Problem rampart::c::problem_of(const rampart_data& data) {
  if (data.y == nullptr) throw BadCall("data: has no labels");
  Problem problem(data.x, {data.y, data.rows()});
  if (data.weights != nullptr) problem.weights = {data.weights, data.rows()};
  problem.groups = data.groups;
  problem.classes = data.classes;
  problem.features = data.names;
  problem.categories = data.categories;
  return problem;
}

RowsView rampart::c::rows_for(const Model& model, const rampart_data& data,
                              std::optional<Rows>& own) {
  require_names_of(model, data);
  const Categories& wanted = model.features.categories;
  if (data.categories.empty() || data.categories == wanted ||
      data.x.columns() != model.features.count) {
    return data.x;
  }
  std::vector<double> values;
  values.reserve(product(data.rows(), data.x.columns()));
  std::vector<std::vector<double>> places(data.x.columns());
  for (std::size_t j = 0; j < places.size(); ++j) {
    const bool categorical = !wanted.empty() && !wanted[j].empty();
    if (categorical != !data.categories[j].empty()) {
      throw InputError(fmt::format("column {} holds {}, in the model it holds {}", j + 1,
                                   categorical ? "numbers" : "categories",
                                   categorical ? "categories" : "numbers"));
    }
    if (categorical) places[j] = places_in(wanted[j], data.categories[j]);
  }
  for (std::size_t n = 0; n < data.rows(); ++n) {
    data.x.for_each(n, [&](std::size_t j, double value) {
      if (!places[j].empty() && !std::isnan(value)) {
        const bool known = value >= 0 && value < static_cast<double>(places[j].size()) &&
                           value == std::floor(value);
        value = known ? places[j][static_cast<std::size_t>(value)] : unseen_category;
      }
      values.push_back(value);
    });
  }
  own = Rows::dense(data.x.columns(), std::move(values), data.rows());
  return *own;
}

rampart_code rampart_data_dense(const void* values, rampart_type type, size_t rows, size_t columns,
                                ptrdiff_t row_stride, ptrdiff_t column_stride, rampart_data** data,
                                rampart_error** error) {
  return make_handle(data, error, [&] {
    auto made = std::make_unique<rampart_data>();
    if (type == RAMPART_FLOAT32) {
      made->x = dense_view(static_cast<const float*>(values), rows, columns, row_stride,
                           column_stride, made->own_floats);
    } else if (type == RAMPART_FLOAT64) {
      made->x = dense_view(static_cast<const double*>(values), rows, columns, row_stride,
                           column_stride, made->own_doubles);
    } else {
      throw BadCall("type: values are RAMPART_FLOAT32 or RAMPART_FLOAT64");
    }
    return made;
  });
}

rampart_code rampart_data_csr(const void* starts, const void* indices, rampart_type index_type,
                              const void* values, rampart_type type, size_t rows, size_t columns,
                              rampart_data** data, rampart_error** error) {
  return make_handle(data, error, [&] {
    required(static_cast<const char*>(starts), "starts");
    static_cast<void>(product(rows, 1));
    auto made = std::make_unique<rampart_data>();
    if (index_type == RAMPART_INT32) {
      made->x = sparse_view<std::int32_t>(starts, indices, values, type, rows, columns);
    } else if (index_type == RAMPART_INT64) {
      made->x = sparse_view<std::int64_t>(starts, indices, values, type, rows, columns);
    } else {
      throw BadCall("index_type: indices are RAMPART_INT32 or RAMPART_INT64");
    }
    return made;
  });
}

rampart_code rampart_data_set_labels(rampart_data* data, const int8_t* labels, const char* negative,
                                     const char* positive, rampart_error** error) {
  return guarded(error, [&] {
    rampart_data& object = object_of(data, "data");
    required(labels, "labels");
    ClassNames classes{&required(negative, "negative"), &required(positive, "positive")};
    for (std::size_t n = 0; n < object.rows(); ++n) {
      if (labels[n] != 1 && labels[n] != -1) {
        throw InputError(fmt::format("row {}: label {}: must be -1 or 1", n + 1, labels[n]));
      }
    }
    object.classes = std::move(classes);
    object.y = labels;
  });
}

rampart_code rampart_data_set_weights(rampart_data* data, const double* weights,
                                      rampart_error** error) {
  return guarded(error, [&] { object_of(data, "data").weights = weights; });
}

rampart_code rampart_data_set_groups(rampart_data* data, const int64_t* groups,
                                     rampart_error** error) {
  return guarded(error, [&] {
    rampart_data& object = object_of(data, "data");
    object.groups.clear();
    if (groups == nullptr) return;
    for (std::size_t n = 0; n < object.rows(); ++n) {
      object.groups.push_back(fmt::format("{}", groups[n]));
    }
  });
}

rampart_code rampart_data_set_names(rampart_data* data, const char* const* names,
                                    rampart_error** error) {
  return guarded(error, [&] {
    rampart_data& object = object_of(data, "data");
    object.names = texts(names, object.x.columns(), "names");
  });
}

rampart_code rampart_data_set_categories(rampart_data* data, size_t column,
                                         const char* const* categories, size_t count,
                                         rampart_error** error) {
  return guarded(error, [&] {
    rampart_data& object = object_of(data, "data");
    if (!object.x.is_dense()) throw BadCall("data: sparse rows have no categories");
    if (column >= object.x.columns()) throw BadCall("column: the data have no such column");
    std::vector<std::string> names = texts(categories, count, "categories");
    object.categories.resize(object.x.columns());
    object.categories[column] = std::move(names);
  });
}

const char* rampart_number_like(const char* text) {
  if (text == nullptr) return "";
  const std::optional<NumberLike> kind = number_like(text);
  return kind ? in_words(*kind).data() : "";
}

void rampart_data_free(rampart_data** data) { free_handle(data); }
