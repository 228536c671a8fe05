#include "data/row_reader.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <utility>

#include "data/reserve_ahead.hpp"
#include "data/sniff.hpp"
#include "rampart/errors.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_columns_listed = 5;
constexpr std::size_t shortest_feature = 4;  // of a LIBSVM line: " 1:2"

bool is_missing(std::string_view cell) {
  return std::ranges::any_of(
      std::array<std::string_view, 5>{"", "?", "NA", "N/A", "null"},
      [&](std::string_view mark) { return equal_ignoring_case(cell, mark); });
}

// Whether this is a number with a decimal comma, such as "1,5".
bool has_decimal_comma(std::string_view cell) {
  const std::size_t comma = cell.find(',');
  if (comma == cell.npos) return false;
  std::string with_point(cell);
  with_point[comma] = '.';
  return parse_number(with_point).is_finite();
}

// Options that have no meaning for a LIBSVM file are refused, not ignored.
void refuse_csv_options(const ReadOptions& options, const Place& file) {
  std::string_view given;
  if (options.delimiter) given = "--delimiter";
  if (options.header) given = "--header";
  if (!options.ignore.empty()) given = "--ignore";
  if (!options.weight.empty()) given = "--weight";
  if (!options.group.empty()) given = "--groups COLUMN";
  if (!options.label.empty()) given = "--label";
  if (given.empty()) return;
  refuse(file, fmt::format("{} is for CSV files, and this is a LIBSVM file", given));
}

}  // namespace

LibsvmReader::LibsvmReader(LineReader lines, const ReadOptions& options, bool labelled)
    : lines_(std::move(lines)) {
  refuse_csv_options(options, lines_.whole_file());
  rules_ = {.labelled = labelled, .serial_numbers = options.serial_numbers, .expected = {}};
  if (options.expected) rules_.expected = options.expected->count;
}

std::optional<RowHead> LibsvmReader::next() {
  while (const auto line = lines_.next()) {
    const Place place = lines_.place();
    rows_.reserve_ahead(line->size() / shortest_feature + 1,
                        all_ ? lines_.share_given() : std::nullopt);
    const auto label = parse_libsvm_line(*line, place, rules_, rows_);
    if (label) return RowHead{.label = *label, .weight = 1, .place = place};
  }
  return std::nullopt;
}

TableReader::TableReader(CsvRows rows, const ReadOptions& options, bool labelled)
    : rows_(std::move(rows)) {
  if (!rows_.next()) return;
  columns_ = plan_columns(rows_.fields(), options, labelled, rows_.whole_file());
  row_is_ready_ = columns_.header.empty();
}

std::optional<RowHead> TableReader::next() {
  while (std::exchange(row_is_ready_, false) || rows_.next()) {
    const Fields& fields = rows_.fields();
    if (fields.size() != columns_.count) {
      refuse(rows_.place(),
             fmt::format("{} fields where the first row has {}", fields.size(), columns_.count));
    }
    reserve_ahead(values_, columns_.features.size(), all_ ? rows_.share_given() : std::nullopt);
    for (const std::uint32_t field : columns_.features) {
      const double value = parse_feature(field);
      if (!first_missing_) values_.push_back(value);  // else there is no take()
    }
    if (first_missing_) {
      values_.clear();  // from here on missing values are counted, nothing else
      continue;
    }
    ++rows_read_;
    const auto text_of = [&](const std::optional<std::size_t>& field) {
      return field ? trimmed(fields[*field]) : std::string_view();
    };
    return RowHead{.label = text_of(columns_.label),
                   .weight = columns_.weight ? parse_weight() : 1,
                   .group = text_of(columns_.group),
                   .place = rows_.place()};
  }
  if (first_missing_) refuse_missing_values();
  return std::nullopt;
}

Rows TableReader::take() {
  return Rows::dense(columns_.features.size(), std::exchange(values_, {}),
                     std::exchange(rows_read_, 0));
}

double TableReader::parse_feature(std::size_t field) {
  const std::string_view cell = trimmed(rows_.fields()[field]);
  const ParsedNumber number = parse_number(cell);
  if (number.is_finite()) return number.value;
  if (is_missing(cell)) {
    if (!first_missing_) first_missing_ = rows_.place();
    missing_.resize(columns_.count);
    ++missing_[field];
    return 0;  // not used: no row is given from here on, and the end of the file throws
  }
  if (number.status == NumberStatus::not_finite) {
    refuse(rows_.place(),
           fmt::format("{}: {} is not a finite number", columns_.describe(field), quoted(cell)));
  }
  refuse(rows_.place(),
         fmt::format("{}: {} is not a number ({})", columns_.describe(field), quoted(cell),
                     has_decimal_comma(cell) ? "decimal commas are not understood; use points"
                                             : "leave a column out with --ignore"));
}

double TableReader::parse_weight() const {
  const std::string_view cell = trimmed(rows_.fields()[*columns_.weight]);
  const ParsedNumber number = parse_number(cell);
  if (number.is_finite() && number.value >= 0) return number.value;
  refuse(rows_.place(), fmt::format("{}: the weight {} is not a finite number >= 0",
                                    columns_.describe(*columns_.weight), quoted(cell)));
}

void TableReader::refuse_missing_values() const {
  std::vector<std::size_t> worst;  // the fields with the most missing values, most first
  std::size_t columns = 0;         // that have any
  std::size_t total = 0;
  for (std::size_t field = 0; field < missing_.size(); ++field) {
    if (missing_[field] == 0) continue;
    ++columns;
    total += missing_[field];
    const auto place = std::ranges::upper_bound(worst, missing_[field], std::greater(),
                                                [&](std::size_t other) { return missing_[other]; });
    worst.insert(place, field);
    if (worst.size() > most_columns_listed) worst.pop_back();
  }
  if (total == 1) {
    refuse(*first_missing_, fmt::format("{}: the value is missing; fill it in or remove the row",
                                        columns_.describe(worst.front())));
  }
  std::string list;
  for (const std::size_t field : worst) {
    list += fmt::format("{}{}: {}", list.empty() ? "" : ", ", columns_.describe(field),
                        missing_[field]);
  }
  if (columns > worst.size()) {
    list += fmt::format(", and {} more columns", columns - worst.size());
  }
  refuse(*first_missing_,
         fmt::format("{} missing values ({}), the first in this line; fill or remove them", total,
                     list));
}

RowReader open_rows(ByteSource source, const ReadOptions& options, bool labelled) {
  if (options.delimiter &&
      std::string_view("\"\r\n#").find(*options.delimiter) != std::string_view::npos) {
    throw OptionError(fmt::format("delimiter = {}: must not be a quote, '#' or a line end",
                                  quoted({&*options.delimiter, 1})));
  }
  LineReader lines(std::move(source), options.limits, options.progress);
  const auto preview = lines.preview(sniffed_lines);
  const Place file = lines.whole_file();
  const Format format =
      options.format == Format::automatic ? sniff_format(preview, file.file) : options.format;
  if (format == Format::libsvm) return LibsvmReader(std::move(lines), options, labelled);
  const char delimiter = options.delimiter.value_or(sniff_delimiter(preview));
  return TableReader(CsvRows(std::move(lines), delimiter, options.limits), options, labelled);
}

}  // namespace rampart
