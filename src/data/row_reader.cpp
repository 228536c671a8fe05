#include "data/row_reader.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "data/foreign_file.hpp"
#include "data/sniff.hpp"
#include "rampart/errors.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_columns_listed = 5;

// The attribute called "class", in any case; empty if there is none.
std::string class_attribute(const Fields& names) {
  for (std::size_t field = 0; field < names.size(); ++field) {
    if (equal_ignoring_case(names[field], "class")) return std::string(names[field]);
  }
  return "";
}

// What an ARFF file declares may not be fit for training.
void check_attributes(const ArffRows& arff, const Columns& columns, const ReadOptions& options) {
  for (const std::uint32_t field : columns.features) {
    if (std::ranges::binary_search(arff.dates(), field)) {
      refuse(arff.whole_file(), fmt::format("{} is a date; leave it out", columns.describe(field)),
             Setting::ignore);
    }
    const std::size_t values = arff.declared()[field].size();
    const std::size_t most = options.max_categories.value_or(default_max_categories);
    if (values > most) {
      refuse(arff.whole_file(),
             fmt::format("{} has {} values, and a category column has at most {}; name it as the "
                         "id, leave it out, or allow more categories",
                         columns.describe(field), values, most),
             Setting::text_column);
    }
  }
}

}  // namespace

void refuse_csv_options(const ReadOptions& options, const Place& file) {
  const auto refuse_if = [&](bool given, std::string_view what, Setting setting) {
    if (!given) return;
    refuse(file, fmt::format("{} is for CSV files, and this is a LIBSVM file", what), setting);
  };
  refuse_if(!options.label.empty(), "a label column", Setting::label);
  refuse_if(!options.group.empty(), "a column of groups", Setting::groups);
  refuse_if(!options.weight.empty(), "a column of weights", Setting::weight);
  refuse_if(!options.ignore.empty(), "leaving out a column", Setting::ignore);
  refuse_if(!options.id.empty(), "a column of ids", Setting::id);
  refuse_if(!options.categorical.empty(), "a categorical column", Setting::categorical);
  refuse_if(!options.keep.empty() || options.keep_all, "keeping columns", Setting::keep);
  refuse_if(options.max_categories.has_value(), "a limit of categories", Setting::max_categories);
  refuse_if(!options.missing_values.empty(), "a spelling of missing values",
            Setting::missing_values);
  refuse_if(options.refuse_missing.has_value(), "a rule for missing values", Setting::missing);
  refuse_if(options.header.has_value(), "a header", Setting::header);
  refuse_if(options.delimiter.has_value(), "a delimiter", Setting::delimiter);
}

LibsvmReader::LibsvmReader(LineReader lines, const ReadOptions& options, bool labelled,
                           const BlockSizes& sizes)
    : lines_(std::move(lines)),
      tolerant_(options.tolerate_faults),
      ahead_(options, sizes),
      options_(options),
      sizes_(sizes) {
  refuse_csv_options(options, lines_.whole_file());
  rules_ = {.labelled = labelled, .serial_numbers = options.serial_numbers, .expected = {}};
  if (options.expected) rules_.expected = options.expected->count;
}

void LibsvmReader::go_on(LineReader lines, const FilePart& part) {
  refuse_csv_options(options_, lines.whole_file());
  rows_.close_slots();
  lines_ = std::move(lines);
  ahead_ = LibsvmLines(options_, sizes_);
  if (part_) part_ = part;
}

std::optional<RowHead> LibsvmReader::next() {
  for (;;) {
    if (const auto label = ahead_.next(lines_, rules_, rows_, part_ ? &*part_ : nullptr)) {
      return RowHead{.label = *label, .place = lines_.place()};
    }
    const auto line = lines_.next();
    if (!line) return std::nullopt;
    const Place place = lines_.place();
    const std::size_t most = count_of(':', *line);
    indices_.resize(most);
    values_.resize(most);
    try {
      const auto parsed = parse_libsvm_line(*line, place, rules_, indices_.data(), values_.data());
      if (!parsed) continue;
      const auto [count, width] = parsed->row;
      rows_.add(std::span(indices_).first(count), std::span(values_).first(count), width);
      return RowHead{.label = parsed->label, .place = place};
    } catch (const RowError& error) {
      if (!tolerant_) throw;
      rows_.add_empty();
      return RowHead{.label = {}, .place = place, .fault = error.fault()};
    }
  }
}

Rows LibsvmReader::take() {
  if (part_) rows_.close_slots();
  return rows_.take(rules_.expected.value_or(rows_.width()));
}

Columns plan_table(TableRows& rows, ReadOptions options, bool labelled, bool& first_row_is_data) {
  first_row_is_data = false;
  if (const ArffRows* arff = rows.arff()) {
    options.header = true;
    if (options.label.empty() && !options.expected) options.label = class_attribute(arff->names());
    return plan_columns(arff->names(), options, labelled, rows.whole_file());
  }
  if (!rows.next()) return {};
  Columns columns = plan_columns(rows.fields(), options, labelled, rows.whole_file());
  first_row_is_data = columns.header.empty();
  return columns;
}

TableReader::TableReader(TableRows rows, const ReadOptions& options, bool labelled,
                         const BlockSizes& sizes)
    : rows_(std::move(rows)),
      tolerant_(options.tolerate_faults),
      refuse_missing_(options.refuse_missing.value_or(false)),
      first_file_(rows_.whole_file().file),
      options_(options),
      labelled_(labelled),
      sizes_(sizes) {
  columns_ = plan_table(rows_, options, labelled, row_is_ready_);
  const ArffRows* arff = rows_.arff();
  if (arff != nullptr && !options.expected) check_attributes(*arff, columns_, options);
  cells_.emplace(columns_, options, arff);
  start_rows();
}

// What is to be done before the first row of a file.
void TableReader::start_rows() {
  if (tolerant_) rows_.go_on_after_faults();
  CsvRows* const csv = rows_.csv();
  if (csv != nullptr && missing_line_ == 0) {
    plain_.emplace(columns_, csv->delimiter(), options_, sizes_);
  }
}

void TableReader::go_on(TableRows rows, const FilePart& part) {
  const Place file = rows.whole_file();
  const auto refuse_other = [&](std::string_view what) {
    refuse(file, fmt::format("{} {}; the files of a data set must have the same columns", what,
                             printable(first_file_, 200)));
  };
  ReadOptions options = options_;
  const ArffRows* const arff = rows.arff();
  if (arff == nullptr) options.header = !columns_.header.empty();
  bool ready = false;
  const Columns columns = plan_table(rows, options, labelled_, ready);
  if (columns.count > 0) {
    if (columns.count != columns_.count) {
      refuse_other(fmt::format("has {} columns, not the {} of", columns.count, columns_.count));
    }
    for (std::size_t field = 0; field < columns.header.size(); ++field) {
      if (columns.header[field] == columns_.header[field]) continue;
      refuse_other(fmt::format("column {} is {}, not {} as in", field + 1,
                               quoted(columns.header[field]), quoted(columns_.header[field])));
    }
    if (arff != nullptr && !(arff->declared() == rows_.arff()->declared() &&
                             arff->numeric() == rows_.arff()->numeric())) {
      refuse_other("declares other types or values than");
    }
  }
  cells_->close_slots();
  rows_ = std::move(rows);
  row_is_ready_ = ready;
  if (part_) part_ = part;
  start_rows();
}

Rows TableReader::take() {
  if (part_) cells_->close_slots();
  return cells_->take();
}

Place TableReader::place() const {
  return is_plain_ ? Place{rows_.whole_file().file, rows_.line()} : rows_.place();
}

// Moves to the next row, and keeps it if it is plain. One whose fields cannot be told apart is a
// row too, where faults are tolerated.
bool TableReader::next_row() {
  broken_.clear();
  is_plain_ = false;
  if (std::exchange(row_is_ready_, false)) return true;
  try {
    is_plain_ = plain_ && plain_->next(rows_.csv()->lines(), *cells_, part_ ? &*part_ : nullptr);
    return is_plain_ || rows_.next();
  } catch (const RowError& error) {
    if (!tolerant_) throw;
    broken_ = error.fault();
    return true;
  }
}

// Reads the features of the row, if that is still to be done; the result is why that is impossible,
// or empty.
std::string TableReader::read_row() {
  if (is_plain_) return "";
  const Fields& fields = rows_.fields();
  try {
    if (!broken_.empty()) {
      cells_->add_unreadable();
      return broken_;
    }
    if (fields.size() != columns_.count) {
      refuse_row(rows_.place(), fmt::format("{} fields where the first row has {}", fields.size(),
                                            columns_.count));
    }
    cells_->add(fields, columns_, rows_.place(),
                part_ ? part_->share(rows_.share_given()) : std::nullopt);
    return "";
  } catch (const RowError& error) {
    if (!tolerant_) throw;
    cells_->add_unreadable();
    return error.fault();
  }
}

std::optional<RowHead> TableReader::next() {
  while (next_row()) {
    std::string fault = read_row();
    if (refuse_missing_ && !cells_->missing().empty()) {
      if (missing_line_ == 0) {
        missing_file_ = place().file;
        missing_line_ = place().line;
      }
      cells_->forget_rows();  // from here on missing values are counted, nothing else
      plain_.reset();
      continue;
    }
    return RowHead{.label = text_of(columns_.label),
                   .weight = columns_.weight && fault.empty() ? parse_weight() : 1,
                   .group = text_of(columns_.group),
                   .id = text_of(columns_.id),
                   .place = place(),
                   .fault = std::move(fault)};
  }
  return std::nullopt;
}

// Empty where the row has no such field.
std::string_view TableReader::text_of(const std::optional<std::size_t>& field) const {
  if (is_plain_) return field ? plain_->text_of(*field) : std::string_view();
  const Fields& fields = rows_.fields();
  return field && *field < fields.size() ? trimmed(fields[*field]) : std::string_view();
}

std::vector<std::string> TableReader::kept_cells() const {
  std::vector<std::string> cells;
  cells.reserve(columns_.kept.size());
  for (const std::uint32_t field : columns_.kept) cells.emplace_back(text_of(field));
  return cells;
}

void TableReader::require_values() const {
  const std::vector<std::size_t>& missing = cells_->missing();
  const auto is_empty = [&](std::size_t count) { return count == cells_->rows(); };
  const auto first = std::ranges::find_if(missing, is_empty);
  if (first == missing.end()) return;
  const auto others = std::ranges::count_if(first + 1, missing.end(), is_empty);
  const auto feature = static_cast<std::size_t>(first - missing.begin());
  refuse(whole_file(),
         fmt::format("{}{}: all values are missing; leave {} out",
                     columns_.describe(columns_.features[feature]),
                     others > 0 ? fmt::format(" and {} more", others) : "",
                     others > 0 ? "them" : "it"),
         Setting::ignore);
}

double TableReader::parse_weight() const {
  const std::string_view cell = text_of(columns_.weight);
  const ParsedNumber number = parse_number(cell);
  if (number.is_finite() && number.value >= 0) return number.value;
  refuse(place(), fmt::format("{}: the weight {} is not a finite number >= 0",
                              columns_.describe(*columns_.weight), quoted(cell)));
}

void TableReader::finish() const {
  if (missing_line_ == 0) return;
  const Place first{missing_file_, missing_line_};
  const std::vector<std::size_t>& missing = cells_->missing();
  std::vector<std::size_t> worst;  // the features with the most missing values, most first
  std::size_t columns = 0;         // that have any
  std::size_t total = 0;
  for (std::size_t j = 0; j < missing.size(); ++j) {
    if (missing[j] == 0) continue;
    ++columns;
    total += missing[j];
    const auto place = std::ranges::upper_bound(worst, missing[j], std::greater(),
                                                [&](std::size_t other) { return missing[other]; });
    worst.insert(place, j);
    if (worst.size() > most_columns_listed) worst.pop_back();
  }
  if (total == 1) {
    refuse(first, fmt::format("{}: the value is missing; fill it in or remove the row",
                              columns_.describe(columns_.features[worst.front()])));
  }
  std::string list;
  for (const std::size_t j : worst) {
    list += fmt::format("{}{}: {}", list.empty() ? "" : ", ",
                        columns_.describe(columns_.features[j]), missing[j]);
  }
  if (columns > worst.size()) {
    list += fmt::format(", and {} more columns", columns - worst.size());
  }
  refuse(first, fmt::format("{} missing values ({}), the first in this line; fill or remove them",
                            total, list));
}

FoundRows find_rows(ByteSource source, const ReadOptions& options) {
  if (options.delimiter &&
      std::string_view("\"\r\n#").find(*options.delimiter) != std::string_view::npos) {
    throw OptionError(fmt::format("delimiter = {}: must not be a quote, '#' or a line end",
                                  quoted({&*options.delimiter, 1})));
  }
  if (options.threads != 1 && !options.line_by_line) source.unpack_ahead();
  LineReader lines(std::move(source), options.limits, options.progress);
  const Place file = lines.whole_file();
  const std::string_view start = lines.start(options.line_by_line);
  refuse_binary_tables(start, file);
  Format format = options.format;
  if (format == Format::automatic) refuse_json(start, file);
  // A pipe that stays open must not be waited for: its first row comes after the header.
  const bool named = options.expected && !options.expected->names.empty() &&
                     options.header.value_or(true) && format != Format::libsvm;
  const bool may_be_csv = format == Format::automatic || format == Format::csv;
  const auto delimiter_line = may_be_csv ? named_delimiter(start) : std::nullopt;
  if (delimiter_line) static_cast<void>(lines.next());
  const auto preview = lines.preview(!options.line_by_line ? sniffed_lines : named ? 2 : 1);
  if (format == Format::automatic) {
    format = delimiter_line ? Format::csv : sniff_format(preview, file.file);
  }
  if (format == Format::libsvm) return FoundRows(std::move(lines));
  if (format == Format::arff) return TableRows(ArffRows(std::move(lines)));
  const char delimiter = options.delimiter ? *options.delimiter
                         : delimiter_line  ? *delimiter_line
                                           : sniff_delimiter(preview);
  return TableRows(CsvRows(std::move(lines), delimiter, options.limits));
}

RowReader open_rows(ByteSource source, const ReadOptions& options, bool labelled,
                    const BlockSizes& sizes) {
  FoundRows found = find_rows(std::move(source), options);
  if (auto* lines = std::get_if<LineReader>(&found)) {
    return LibsvmReader(std::move(*lines), options, labelled, sizes);
  }
  return TableReader(std::get<TableRows>(std::move(found)), options, labelled, sizes);
}

}  // namespace rampart
