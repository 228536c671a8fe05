#pragma once

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rampart/dataset.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"

namespace rampart::testing_support {

/// What reading this text as "file" says is wrong with it; empty if nothing is.
inline std::string complaint(std::string_view text, const ReadOptions& options = {}) {
  try {
    static_cast<void>(parse_dataset(text, "file", options));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

inline Dataset parse(std::string_view text, const ReadOptions& options = {}) {
  return parse_dataset(text, "file", options);
}

/// The values of row n, zeros included.
inline std::vector<double> row(const Rows& x, std::size_t n) {
  std::vector<double> values(x.columns(), 0.0);
  x.for_each(n, [&](std::size_t j, double value) { values[j] = value; });
  return values;
}

/// A number that files have: mostly small and short, sometimes any double, sometimes zero.
inline rc::Gen<double> any_value() {
  return rc::gen::weightedOneOf<double>(
      {{4, rc::gen::map(rc::gen::inRange(-1000, 1000), [](int k) { return k / 8.0; })},
       {2, rc::gen::just(0.0)},
       {1, rc::gen::map(rc::gen::arbitrary<double>(), [](double value) { return value + 0.0; })}});
}

/// Rows of at most this many columns, dense or sparse, of any density.
inline rc::Gen<Rows> any_rows(std::size_t most_columns = 8) {
  return rc::gen::exec([=] {
    const auto columns = *rc::gen::inRange<std::size_t>(1, most_columns + 1);
    const auto count = *rc::gen::inRange<std::size_t>(1, 12);
    const int density = *rc::gen::element(0, 10, 50, 100);
    std::vector<double> values(columns * count, 0.0);
    for (double& value : values) {
      if (*rc::gen::inRange(0, 100) < density) value = *any_value();
    }
    if (*rc::gen::arbitrary<bool>()) return Rows::dense(columns, values);
    std::vector<std::size_t> starts = {0};
    std::vector<std::uint32_t> indices;
    std::vector<double> stored;
    for (std::size_t n = 0; n < count; ++n) {
      for (std::size_t j = 0; j < columns; ++j) {
        if (values[n * columns + j] == 0) continue;
        indices.push_back(static_cast<std::uint32_t>(j));
        stored.push_back(values[n * columns + j]);
      }
      starts.push_back(stored.size());
    }
    return Rows::sparse(columns, starts, indices, stored);
  });
}

/// A data set with both classes.
inline rc::Gen<Dataset> any_dataset(std::size_t most_columns = 8) {
  return rc::gen::exec([=] {
    Dataset data;
    data.x = *any_rows(most_columns);
    if (data.x.size() == 1) data.x = data.x.subset(std::vector<std::size_t>{0, 0});
    for (std::size_t n = 0; n < data.x.size(); ++n) {
      data.y.push_back(*rc::gen::element<std::int8_t>(-1, 1));
    }
    data.y[0] = 1;
    data.y[1] = -1;
    data.classes = *rc::gen::elementOf(
        std::vector<ClassNames>{{"-1", "1"}, {"0", "1"}, {"2", "10"}, {"no", "yes"}});
    return data;
  });
}

}  // namespace rampart::testing_support

namespace rampart {
// How RapidCheck shows a counterexample.
inline void showValue(const Rows& rows, std::ostream& os) {
  os << rows.size() << " x " << rows.columns() << (rows.is_dense() ? " dense" : " sparse");
}
inline void showValue(const Dataset& data, std::ostream& os) { os << to_csv(data); }
}  // namespace rampart

namespace rc {
template <>
struct Arbitrary<rampart::Rows> {
  static Gen<rampart::Rows> arbitrary() { return rampart::testing_support::any_rows(); }
};
template <>
struct Arbitrary<rampart::Dataset> {
  static Gen<rampart::Dataset> arbitrary() { return rampart::testing_support::any_dataset(); }
};
}  // namespace rc
