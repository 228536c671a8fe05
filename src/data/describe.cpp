#include "data/describe.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <optional>

#include "data/classes.hpp"
#include "data/column_sketch.hpp"
#include "data/missing.hpp"
#include "data/number_like.hpp"
#include "data/row_reader.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_labels = 10;
constexpr std::size_t longest_example = 40;
constexpr std::size_t fewest_rows = 20;  // as column_warnings has it
constexpr std::size_t fewest_of_a_class = 5;
// Values remembered of all columns together, and of one.
constexpr std::size_t most_values = 1'000'000;
constexpr std::size_t most_values_of_column = 10'000;
constexpr std::size_t fewest_values_of_column = 20;

std::uint64_t hash_of(std::string_view text) { return XXH3_64bits(text.data(), text.size()); }
std::uint64_t hash_of(double value) {
  const double canonical = value == 0 ? 0.0 : value;  // -0 is 0
  return XXH3_64bits(&canonical, sizeof canonical);
}

struct Range {
  double least = std::numeric_limits<double>::infinity();
  double greatest = -std::numeric_limits<double>::infinity();

  void add(double value) {
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
};

class ColumnReader {
 public:
  ColumnReader(ColumnSummary summary, std::size_t bound)
      : summary_(std::move(summary)), values_(bound) {}

  // `of_class`: 0 or 1; 2: another one, or none.
  void add(std::string_view cell, std::size_t of_class, const MissingValues& spellings,
           const Place& place) {
    const ParsedNumber number = parse_number(cell);
    const bool missing = number.is_finite()
                             ? spellings.any_number() && spellings.has_number(number.value)
                             : spellings.has_text(cell);
    if (missing) {
      ++summary_.missing;
      return;
    }
    if (summary_.example.empty()) summary_.example = cell.substr(0, longest_example);
    ++with_value_[of_class];
    const auto mask = static_cast<std::uint8_t>(of_class < 2 ? 1U << of_class : 0U);
    if (number.is_finite()) {
      add_number(number.value, of_class);
      values_.add(hash_of(number.value), mask);
      return;
    }
    ++summary_.texts;
    values_.add(hash_of(cell), mask);
    if (!summary_.trouble.empty() || summary_.named_categorical) return;
    if (number.status == NumberStatus::not_finite) {
      summary_.trouble =
          fmt::format("line {}: {} is not a finite number", place.line, quoted(cell));
    } else if (const auto kind = number_like(cell)) {
      summary_.trouble =
          fmt::format("line {}: {} is {}, not a number", place.line, quoted(cell), in_words(*kind));
    }
  }

  [[nodiscard]] ColumnSummary finish(std::size_t rows, std::size_t max_categories) {
    ColumnSummary& column = summary_;
    const std::size_t present = column.numbers + column.texts;
    column.different = std::min(values_.count(), present);
    column.exact = values_.exact();
    if (column.numbers > 0) {
      column.least = range_.least;
      column.greatest = range_.greatest;
    }
    column.constant = column.different == 1 && column.missing == 0 && rows > 1;
    const bool all_different = column.exact ? column.different == present
                                            : rising_ || static_cast<double>(column.different) >
                                                             0.9 * static_cast<double>(present);
    column.looks_like_id = present >= fewest_rows && all_different && (column.texts > 0 || whole_);
    column.separates = !column.constant && !column.looks_like_id && separates();
    if (column.role != ColumnRole::feature || !column.trouble.empty()) return column;
    if (present == 0) {
      column.trouble = "all values are missing";
    } else if (column.categorical() && column.different > max_categories) {
      column.trouble = fmt::format("{}{} different values, and a category column has at most {}",
                                   column.exact ? "" : "about ", column.different, max_categories);
    }
    return column;
  }

 private:
  void add_number(double value, std::size_t of_class) {
    rising_ = rising_ && (summary_.numbers == 0 || value > last_);
    last_ = value;
    ++summary_.numbers;
    whole_ = whole_ && value == std::floor(value);
    range_.add(value);
    of_class_[of_class].add(value);
  }

  [[nodiscard]] bool separates() const {
    if (std::min(with_value_[0], with_value_[1]) < fewest_of_a_class || with_value_[2] > 0 ||
        with_value_[0] + with_value_[1] < fewest_rows) {
      return false;
    }
    if (summary_.categorical()) return values_.every_value_has_one_class();
    return of_class_[0].greatest < of_class_[1].least || of_class_[1].greatest < of_class_[0].least;
  }

  ColumnSummary summary_;
  DistinctSketch values_;
  Range range_;
  std::array<Range, 3> of_class_;
  std::array<std::size_t, 3> with_value_{};
  bool whole_ = true;
  bool rising_ = true;
  double last_ = 0;
};

// The labels of a file, in order of appearance.
class Labels {
 public:
  explicit Labels(TableSummary& summary) : summary_(summary) {}

  // 0 or 1 for the first two labels, 2 for others and none.
  std::size_t add(std::string_view label, const MissingValues& spellings) {
    if (spellings.has_label(label)) {
      ++summary_.unlabelled;
      return 2;
    }
    const std::string name = class_name(label);
    const auto found = std::ranges::find(summary_.labels, name);
    const auto k = static_cast<std::size_t>(found - summary_.labels.begin());
    if (found == summary_.labels.end()) {
      if (k == most_labels) {
        summary_.more_labels = true;
        return 2;
      }
      summary_.labels.push_back(name);
      summary_.label_counts.push_back(0);
    }
    ++summary_.label_counts[k];
    return std::min<std::size_t>(k, 2);
  }

 private:
  TableSummary& summary_;
};

ColumnRole role_of(const Columns& columns, std::size_t field) {
  if (field == columns.label) return ColumnRole::label;
  if (field == columns.id) return ColumnRole::id;
  if (field == columns.weight) return ColumnRole::weight;
  if (field == columns.group) return ColumnRole::group;
  return std::ranges::binary_search(columns.features, field) ? ColumnRole::feature
                                                             : ColumnRole::ignored;
}

std::vector<ColumnReader> column_readers(const TableRows& rows, const Columns& columns) {
  const std::size_t bound = std::clamp(most_values / std::max<std::size_t>(columns.count, 1),
                                       fewest_values_of_column, most_values_of_column);
  std::vector<bool> categorical(columns.count, false);
  for (const std::uint32_t j : columns.categorical) categorical[columns.features[j]] = true;
  std::vector<ColumnReader> readers;
  readers.reserve(columns.count);
  for (std::size_t field = 0; field < columns.count; ++field) {
    const bool declared = rows.arff() != nullptr && !rows.arff()->declared()[field].empty();
    readers.emplace_back(ColumnSummary{.name = columns.name_of(field),
                                       .role = role_of(columns, field),
                                       .named_categorical = categorical[field] || declared},
                         bound);
  }
  return readers;
}

// One warning for all columns of a kind; the first are named.
void warn(TableSummary& summary, bool ColumnSummary::*flag, std::string_view message,
          Setting setting) {
  constexpr std::size_t most_named = 5;
  std::string names;
  std::size_t count = 0;
  for (const ColumnSummary& column : summary.columns) {
    if (column.role != ColumnRole::feature || !(column.*flag)) continue;
    if (++count <= most_named) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", quoted(column.name));
    }
  }
  if (count == 0) return;
  if (count > most_named) names += fmt::format(" and {} more", count - most_named);
  summary.warnings.push_back(
      {fmt::format("{} {}: {}", count == 1 ? "column" : "columns", names, message), setting});
}

void add_warnings(TableSummary& summary) {
  warn(summary, &ColumnSummary::looks_like_id,
       "all values are different, as of an id; name it as the id or leave it out", Setting::id);
  warn(summary, &ColumnSummary::constant, "all values are the same, which tells nothing",
       Setting::ignore);
  warn(summary, &ColumnSummary::separates,
       "separates the classes alone; if it is known only with the answer, leave it out",
       Setting::ignore);
  for (const ColumnSummary& column : summary.columns) {
    if (column.role == ColumnRole::group && column.exact && column.different == summary.rows) {
      summary.warnings.push_back(
          {"every group has one row, so that groups change nothing; is it "
           "the column of groups?",
           Setting::groups});
    }
  }
}

TableSummary describe_table(TableRows& rows, const ReadOptions& options) {
  TableSummary summary{.format = rows.arff() != nullptr ? "ARFF" : "CSV"};
  bool ready = false;
  const Columns columns = plan_table(rows, options, true, ready);
  summary.header = !columns.header.empty();
  const MissingValues spellings(options.missing_values);
  std::vector<ColumnReader> readers = column_readers(rows, columns);
  Labels labels(summary);
  for (; ready || rows.next(); ready = false) {
    const Fields& fields = rows.fields();
    const Place place = rows.place();
    if (fields.size() != columns.count) {
      refuse(place,
             fmt::format("{} fields where the first row has {}", fields.size(), columns.count));
    }
    const std::size_t of_class = labels.add(trimmed(fields[*columns.label]), spellings);
    for (std::size_t field = 0; field < columns.count; ++field) {
      readers[field].add(trimmed(fields[field]), of_class, spellings, place);
    }
    ++summary.rows;
  }
  if (summary.rows == 0) refuse(rows.whole_file(), "no rows");
  for (ColumnReader& reader : readers) {
    summary.columns.push_back(reader.finish(summary.rows, options.max_categories));
  }
  add_warnings(summary);
  return summary;
}

TableSummary describe_libsvm(LineReader lines, const ReadOptions& options) {
  TableSummary summary{.format = "LIBSVM"};
  const MissingValues spellings(options.missing_values);
  const Place file = lines.whole_file();
  LibsvmReader reader(std::move(lines), options, true);
  Labels labels(summary);
  while (const auto row = reader.next()) {
    labels.add(row->label, spellings);
    static_cast<void>(reader.take());
    ++summary.rows;
  }
  if (summary.rows == 0) refuse(file, "no rows");
  summary.columns.resize(reader.widest());
  for (std::size_t j = 0; j < summary.columns.size(); ++j) {
    summary.columns[j].name = std::to_string(j + 1);
  }
  return summary;
}

}  // namespace

TableSummary describe_file(const std::string& path, const ReadOptions& options) {
  FoundRows found = find_rows(ByteSource::file(path, options.limits), options);
  if (auto* lines = std::get_if<LineReader>(&found)) {
    return describe_libsvm(std::move(*lines), options);
  }
  return describe_table(std::get<TableRows>(found), options);
}

}  // namespace rampart
