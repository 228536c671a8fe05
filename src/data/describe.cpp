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
#include "rampart/rows_file.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_labels = 10;
constexpr std::size_t longest_example = 40;
constexpr std::size_t most_texts = 3;  // different ones, remembered to tell stray ones
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
    const bool missing = summary_.role == ColumnRole::label ? spellings.has_label(cell)
                         : number.is_finite()
                             ? spellings.any_number() && spellings.has_number(number.value)
                             : spellings.has_text(cell);
    if (missing) {
      ++summary_.missing;
      return;
    }
    if (summary_.example.empty()) summary_.example = printable(cell, longest_example);
    ++with_value_[of_class];
    const auto mask = static_cast<std::uint8_t>(of_class < 2 ? 1U << of_class : 0U);
    if (number.is_finite()) {
      add_number(number.value, of_class);
      values_.add(hash_of(number.value), mask);
      return;
    }
    ++summary_.texts;
    const std::uint64_t hash = hash_of(cell);
    values_.add(hash, mask);
    if (texts_.size() < most_texts && std::ranges::find(text_hashes_, hash) == text_hashes_.end()) {
      text_hashes_.push_back(hash);
      texts_.push_back(printable(cell));
    }
    note_trouble(cell, number, place);
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
    column.look = look_of({.rows = rows,
                           .present = present,
                           .different = column.different,
                           .all_different = all_different(present),
                           .text_or_whole = column.categorical() || whole_,
                           .of_class = {with_value_[0], with_value_[1]},
                           .separates = separates()});
    column.stray = column.exact ? stray_texts(texts_, column.different - texts_.size()) : "";
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

  // Why training refuses this cell, which is no finite number, as a feature.
  void note_trouble(std::string_view cell, const ParsedNumber& number, const Place& place) {
    if (!summary_.trouble.empty() || summary_.named_categorical ||
        summary_.role != ColumnRole::feature) {
      return;
    }
    if (number.status == NumberStatus::not_finite) {
      summary_.trouble =
          fmt::format("line {}: {} is not a finite number", place.line, quoted(cell));
    } else if (const auto kind = number_like(cell)) {
      summary_.trouble =
          fmt::format("line {}: {} is {}, not a number", place.line, quoted(cell), in_words(*kind));
    } else if (summary_.named_numeric) {
      summary_.trouble = fmt::format("line {}: {} is not a number, and the file declares numbers",
                                     place.line, quoted(cell));
    }
  }

  // Beyond the bound this is known of numbers that rise from row to row, and else a guess.
  [[nodiscard]] bool all_different(std::size_t present) const {
    if (values_.exact()) return values_.count() == present;
    if (summary_.texts == 0 && rising_) return true;
    return static_cast<double>(values_.count()) > 0.9 * static_cast<double>(present);
  }

  [[nodiscard]] bool separates() const {
    if (with_value_[2] > 0) return false;
    if (summary_.categorical()) return values_.every_value_has_one_class();
    return of_class_[0].greatest < of_class_[1].least || of_class_[1].greatest < of_class_[0].least;
  }

  ColumnSummary summary_;
  DistinctSketch values_;
  Range range_;
  std::array<Range, 3> of_class_;
  std::array<std::size_t, 3> with_value_{};
  std::vector<std::string> texts_;  // the first different ones, cut if they are long
  std::vector<std::uint64_t> text_hashes_;
  bool whole_ = true;
  bool rising_ = true;  // the numbers, from row to row
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
    const ArffRows* arff = rows.arff();
    const bool declared = arff != nullptr && !arff->declared()[field].empty();
    readers.emplace_back(ColumnSummary{.name = columns.name_of(field),
                                       .named = columns.is_named(field),
                                       .role = role_of(columns, field),
                                       .named_categorical = categorical[field] || declared,
                                       .named_numeric = arff != nullptr && arff->numeric()[field]},
                         bound);
  }
  return readers;
}

std::vector<ColumnWarning> warnings_about(const TableSummary& summary) {
  ColumnJudge judge;
  std::size_t groups = 0;
  for (const ColumnSummary& column : summary.columns) {
    if (column.role == ColumnRole::group && column.exact) groups = column.different;
    if (column.role != ColumnRole::feature) continue;
    judge.add(column.named ? quoted(column.name) : column.name, column.look, column.stray);
  }
  return judge.warnings(groups, summary.rows);
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
  const std::size_t max_categories = options.max_categories.value_or(default_max_categories);
  for (ColumnReader& reader : readers) {
    summary.columns.push_back(reader.finish(summary.rows, max_categories));
  }
  summary.width = summary.columns.size();
  summary.warnings = warnings_about(summary);
  return summary;
}

TableSummary describe_libsvm(LineReader lines, const ReadOptions& options) {
  TableSummary summary{.format = "LIBSVM"};
  const Place file = lines.whole_file();
  LibsvmReader reader(std::move(lines), options, true);
  Labels labels(summary);
  while (const auto row = reader.next()) {
    labels.add(row->label, reader.missing_values());
    static_cast<void>(reader.take());
    ++summary.rows;
  }
  if (summary.rows == 0) refuse(file, "no rows");
  summary.width = reader.widest();
  return summary;
}

// By way of text, which costs memory for all of it: the columns are judged as those of text are.
TableSummary describe_rows(const std::string& path, ReadOptions options) {
  const Dataset data = read_dataset(path, options);
  const bool table = data.x.is_dense();
  const std::string text = table ? to_csv(data) : to_libsvm(data);
  ReadOptions plain;
  plain.format = table ? Format::csv : Format::libsvm;
  plain.limits = options.limits;
  plain.max_categories = std::nullopt;
  if (table) {
    plain.header = true;
    if (!data.ids.empty()) plain.id = "1";
    if (!data.weights.empty()) {
      plain.weight = std::to_string((data.ids.empty() ? 1 : 2) + data.x.columns());
    }
    for (std::size_t j = 0; j < data.categories.size(); ++j) {
      if (data.categories[j].empty()) continue;
      plain.categorical.push_back(std::to_string((data.ids.empty() ? 1 : 2) + j));
      plain.max_categories = std::max(plain.max_categories.value_or(default_max_categories),
                                      data.categories[j].size());
    }
  }
  FoundRows found = find_rows(ByteSource::memory(text, path, 1 << 16, plain.limits), plain);
  TableSummary summary = table ? describe_table(std::get<TableRows>(found), plain)
                               : describe_libsvm(std::get<LineReader>(std::move(found)), plain);
  summary.format = "rows in binary form";
  return summary;
}

}  // namespace

TableSummary describe_file(const std::string& path, const ReadOptions& options) {
  if (is_rows_file(path)) return describe_rows(path, options);
  FoundRows found = find_rows(ByteSource::file(path, options.limits), options);
  if (auto* lines = std::get_if<LineReader>(&found)) {
    return describe_libsvm(std::move(*lines), options);
  }
  return describe_table(std::get<TableRows>(found), options);
}

}  // namespace rampart
