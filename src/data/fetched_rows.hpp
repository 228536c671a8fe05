#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "rampart/rows.hpp"

namespace rampart {

/// Rows that lie far apart: a copy of them if they are dense and in a file, else themselves.
///
/// To touch a row of a file makes the system read megabytes after it, and drop others. So each row
/// is touched once, soon after it was asked for, and the rows between are not read.
class FetchedRows {
 public:
  explicit FetchedRows(RowsView some) : view_(some) {
    constexpr std::size_t most_values = 1 << 25;  // 256 MiB
    constexpr std::size_t at_once = 512;
    const std::size_t columns = some.columns();
    if (!some.is_kept() || !some.is_dense() || some.size() * columns > most_values) return;
    std::vector<double> values(some.size() * columns);
    for (std::size_t n = 0; n < some.size(); ++n) {
      if (n % at_once == 0) some.range(n, std::min(some.size(), n + at_once)).will_need();
      some.copy_row(n, std::span(values).subspan(n * columns, columns));
    }
    own_ = Rows::dense(columns, std::move(values), some.size());
    view_ = own_;
  }
  FetchedRows(const FetchedRows&) = delete;
  FetchedRows& operator=(const FetchedRows&) = delete;

  [[nodiscard]] RowsView view() const { return view_; }

 private:
  Rows own_;
  RowsView view_;
};

}  // namespace rampart
