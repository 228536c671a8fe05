#include "train/problem_part.hpp"

#include <fmt/format.h>
#include <utility>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

template <class T>
std::vector<T> gathered(std::span<const T> values, std::span<const std::size_t> which) {
  std::vector<T> found;
  if (values.empty()) return found;
  found.reserve(which.size());
  for (const std::size_t n : which) found.push_back(values[n]);
  return found;
}

Rows submatrix(RowsView k, std::span<const std::size_t> rows,
               std::span<const std::size_t> columns) {
  if (k.columns() != k.size()) {
    throw InputError(fmt::format("a precomputed kernel of {} rows needs as many columns, not {}",
                                 k.size(), k.columns()));
  }
  std::vector<double> values;
  values.reserve(rows.size() * columns.size());
  std::vector<double> row(k.columns());
  for (const std::size_t n : rows) {
    k.copy_row(n, row);
    for (const std::size_t m : columns) values.push_back(row[m]);
  }
  return Rows::dense(columns.size(), std::move(values), rows.size());
}

}  // namespace

ProblemPart::ProblemPart(const Problem& whole, std::span<const std::size_t> which,
                         std::span<const std::size_t> training,
                         const Representation& representation)
    : whole_(whole),
      y_(gathered(whole.y, which)),
      weights_(gathered(whole.weights, which)),
      groups_(gathered(whole.groups, which)) {
  whole_.ids = {};  // only the fingerprint of a whole needs them
  if (representation.kernel.type == KernelType::precomputed) {
    given_ = submatrix(whole.x, which, training);
    whole_.features = {};
    whole_.categories = {};
  } else {
    places_ = whole.x.places_of(which);
  }
}

Problem ProblemPart::view() const {
  Problem part = whole_;
  part.x = given_ ? RowsView(*given_) : whole_.x.at_places(places_);
  part.y = y_;
  part.weights = weights_;
  part.groups = groups_;
  return part;
}

}  // namespace rampart
