#include <fmt/format.h>
#include <array>
#include <memory>
#include <type_traits>
#include <utility>

#include "data/byte_source.hpp"
#include "data/classes.hpp"
#include "data/read_batches.hpp"
#include "data/read_lines.hpp"
#include "data/read_rows.hpp"
#include "data/row_files.hpp"
#include "data/rows_file_stream.hpp"
#include "rampart/io.hpp"
#include "util/assert.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// A data set whose weights leave out a class is taken for a mistake.
class WeightCheck {
 public:
  void add(std::int8_t number_of_class, double weight) {
    if (weight > 0) has_weight_[static_cast<std::size_t>(number_of_class)] = true;
  }

  // `names`: of the classes by number.
  void require(const std::vector<std::string>& names, bool both_classes, const Place& file) const {
    if (!has_weight_[0] && !has_weight_[1]) refuse(file, "every weight is 0");
    if (!both_classes || (has_weight_[0] && has_weight_[1])) return;
    refuse(file, fmt::format("no row of class {} has a weight > 0",
                             quoted(has_weight_[0] ? names[1] : names[0])));
  }

 private:
  std::array<bool, 2> has_weight_ = {false, false};
};

// Rows without a label. Only the first are named.
class UnlabelledRows {
 public:
  explicit UnlabelledRows(bool several_files) : several_files_(several_files) {}

  void add(const Place& place) {
    if (++count_ > most_named) return;
    if (!lines_.empty()) lines_ += ", ";
    if (several_files_) lines_ += fmt::format("{}:", place.file);
    lines_ += std::to_string(place.line);
  }

  [[nodiscard]] bool any() const noexcept { return count_ > 0; }

  void refuse_any(const Place& file) const {
    if (count_ == 0) return;
    refuse(file, fmt::format("{} no label: line{} {}{}; fill {} in, or remove the row{}",
                             count_ == 1 ? "1 row has" : fmt::format("{} rows have", count_),
                             count_ == 1 ? "" : "s", lines_, count_ > most_named ? ", …" : "",
                             count_ == 1 ? "it" : "them", count_ == 1 ? "" : "s"));
  }

 private:
  static constexpr std::size_t most_named = 5;
  bool several_files_;
  std::size_t count_ = 0;
  std::string lines_;
};

void check_id(const RowHead& row) {
  if (is_utf8(row.id)) return;
  refuse(row.place,
         fmt::format("the id {} is not UTF-8; convert the file (iconv)", quoted(row.id)));
}

// What only tables have.
void describe_columns(Dataset& data, const TableReader& reader, const ReadOptions& options) {
  if (!options.expected) reader.require_values();
  const Columns& columns = reader.columns();
  data.features = columns.feature_names();
  data.label = columns.name_of(columns.label);
  data.id = columns.name_of(columns.id);
  data.categories = reader.categories();
  data.missing_values = options.missing_values;
  data.file_columns = columns.count;
  for (const std::uint32_t field : columns.features) data.fields.push_back(field + 1);
}

// Gives the rows in `data` away: features, weights, groups and ids.
void give_batch(Dataset& data, const BatchSink& sink) {
  Dataset batch;
  batch.x = std::exchange(data.x, {});
  batch.weights = std::exchange(data.weights, {});
  batch.groups = std::exchange(data.groups, {});
  batch.ids = std::exchange(data.ids, {});
  sink.add(batch);
}

// `sink`: null if the data set is to have all rows.
template <class Reader>
Dataset collect(Reader& reader, RowFiles& files, const ReadOptions& options,
                const BatchSink* sink) {
  constexpr bool is_table = std::is_same_v<Reader, TableReader>;
  const Place file{files.name()};
  ClassFinder classes(options.classes, is_table);
  Dataset data;
  if (sink == nullptr) {
    reader.expect_all(files.first_part());
  } else if constexpr (is_table) {
    reader.expect_batches();
  }
  UnlabelledRows unlabelled(files.several());
  WeightCheck weights;
  std::size_t given = 0;  // rows
  while (const auto row = files.next(reader)) {
    if (reader.missing_values().has_label(row->label)) {
      unlabelled.add(row->place);
      continue;
    }
    data.y.push_back(classes.find(row->label, row->place));  // 0 or 1 for now
    weights.add(data.y.back(), row->weight);
    if (reader.weighted()) data.weights.push_back(row->weight);
    if (reader.grouped()) {
      if (row->group.empty()) refuse(row->place, "no group");
      data.groups.emplace_back(row->group);
    }
    if constexpr (is_table) {
      if (reader.columns().id) {
        check_id(*row);
        data.ids.emplace_back(row->id);
      }
    }
    if (sink != nullptr && reader.waiting() >= sink->values &&
        data.size() - given >= sink->least_rows) {
      data.x = reader.take();
      // With a row that has no label among them there will be no result.
      if (!unlabelled.any()) give_batch(data, *sink);
      given = data.size();
    }
  }
  unlabelled.refuse_any(file);
  if (data.y.empty()) refuse(file, "no rows");
  data.x = reader.take();
  if (data.x.columns() == 0) refuse(file, "no features");
  if (sink != nullptr) give_batch(data, *sink);
  if constexpr (is_table) {
    if (sink != nullptr) sink->recode(reader.recodings());
    describe_columns(data, reader, options);
  }

  const std::vector<std::string>& found = classes.found();
  if (found.size() == 1) {
    refuse(file, data.size() == 1
                     ? "only one row; two classes are needed"
                     : fmt::format("all {} rows have the label {}; two classes are needed",
                                   data.size(), quoted(found[0])));
  }
  const std::int8_t positive = options.classes ? 1 : classes.positive(options.positive, file);
  for (std::int8_t& y : data.y) y = y == positive ? 1 : -1;
  data.classes = options.classes.value_or(ClassNames{found[1 - positive], found[positive]});
  if (reader.weighted()) weights.require(found, !options.classes, file);
  return data;
}

}  // namespace

Dataset read_all(RowFiles files, const ReadOptions& options) {
  return std::visit([&](auto& reader) { return collect(reader, files, options, nullptr); },
                    files.reader());
}

// What every row of a labelled stream must have, and what all of them must have together.
class StreamLabels {
 public:
  StreamLabels(const RowFiles& files, const ReadOptions& options)
      : classes_(options.classes, std::holds_alternative<TableReader>(files.reader())),
        unlabelled_(files.several()) {}

  // The label of a row; 0 if it is missing, which is an error at the end of the file.
  template <class Reader>
  std::int8_t of(const RowHead& row, const Reader& reader) {
    any_weight_ |= row.weight > 0;
    if (reader.grouped() && row.group.empty()) refuse(row.place, "no group");
    check_id(row);
    if (reader.missing_values().has_label(row.label)) {
      unlabelled_.add(row.place);
      return 0;
    }
    return classes_.find(row.label, row.place) == 1 ? 1 : -1;
  }

  void check_all(const Place& file) const {
    unlabelled_.refuse_any(file);
    if (!any_weight_) refuse(file, "every weight is 0");
  }

 private:
  ClassFinder classes_;
  UnlabelledRows unlabelled_;
  bool any_weight_ = false;
};

RowBatch next_batch(RowFiles& files, std::size_t most, bool& any, StreamLabels* labels) {
  return std::visit(
      [&](auto& reader) {
        constexpr bool is_table = std::is_same_v<std::decay_t<decltype(reader)>, TableReader>;
        RowBatch batch;
        std::size_t n = 0;
        for (; n < most; ++n) {
          auto row = files.next(reader);
          if (!row) break;
          if (labels != nullptr) batch.y.push_back(labels->of(*row, reader));
          if (!row->fault.empty()) {
            batch.faults.resize(n);
            batch.faults.push_back(std::move(row->fault));
          }
          if constexpr (is_table) {
            if (!reader.unseen().empty()) {
              batch.unseen.resize(n);
              batch.unseen.push_back(reader.unseen());
            }
            if (reader.columns().id) batch.ids.emplace_back(row->id);
            if (!reader.columns().kept.empty()) batch.kept.push_back(reader.kept_cells());
          }
        }
        if (!batch.faults.empty()) batch.faults.resize(n);
        if (!batch.unseen.empty()) batch.unseen.resize(n);
        any = any || n > 0;
        if (!any) refuse({files.name()}, "no rows");
        if (labels != nullptr && n == 0) labels->check_all({files.name()});
        batch.x = reader.take();
        return batch;
      },
      files.reader());
}

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return read_dataset(std::span(&path, 1), options);
}

Dataset read_dataset(std::span<const std::string> paths, const ReadOptions& options) {
  if (paths.empty()) throw InputError("no files to read");
  if (are_rows_files(paths)) return read_rows_files(paths, options);
  return read_all(RowFiles(paths, options, true), options);
}

Dataset read_batches(std::span<const std::string> paths, const ReadOptions& options,
                     const BatchSink& sink) {
  RowFiles files(paths, options, true);
  sink.begin(std::holds_alternative<TableReader>(files.reader()));
  return std::visit([&](auto& reader) { return collect(reader, files, options, &sink); },
                    files.reader());
}

Dataset parse_dataset(std::string_view text, const std::string& name, const ReadOptions& options) {
  return read_all(RowFiles(ByteSource::memory(text, name, 1 << 16, options.limits), options, true),
                  options);
}

std::vector<std::string> read_lines(const std::string& path, const ReadLimits& limits) {
  LineReader lines(ByteSource::file(path, limits), limits);
  std::vector<std::string> names;
  std::optional<Place> blank;  // in the middle of the file it is a mistake
  while (const auto line = lines.next()) {
    const std::string_view name = trimmed(*line);
    if (name.empty()) {
      blank = blank.value_or(lines.place());
      continue;
    }
    if (blank) refuse(*blank, "an empty line, where a name is expected");
    names.emplace_back(name);
  }
  return names;
}

// Rows that are not kept need no large blocks: these are enough to share among threads.
constexpr BlockSizes stream_blocks{.most = std::size_t{1} << 20U};

struct RowStream::State {
  std::optional<RowFiles> files;         // of text, or else
  std::optional<RowsFileStream> rows;    // files of rows
  std::unique_ptr<StreamLabels> labels;  // of labelled text
  bool any = false;                      // whether there has been a row
};

RowStream::RowStream(const std::string& path, const ReadOptions& options)
    : RowStream(std::span(&path, 1), options) {}

RowStream::RowStream(std::span<const std::string> paths, const ReadOptions& options) {
  RAMPART_ASSERT(options.expected, "RowStream needs to know the features of the model");
  RAMPART_ASSERT(!options.labelled || options.classes, "labels are classes of the model");
  if (paths.empty()) throw InputError("no files to read");
  state_ = std::make_unique<State>();
  if (are_rows_files(paths)) {
    state_->rows.emplace(std::vector(paths.begin(), paths.end()), options);
    return;
  }
  state_->files.emplace(paths, options, options.labelled, stream_blocks);
  if (options.labelled) state_->labels = std::make_unique<StreamLabels>(*state_->files, options);
}

RowStream::~RowStream() = default;
RowStream::RowStream(RowStream&&) noexcept = default;
RowStream& RowStream::operator=(RowStream&&) noexcept = default;

RowBatch RowStream::next(std::size_t most) {
  if (state_->rows) return state_->rows->next(most);
  return next_batch(*state_->files, most, state_->any, state_->labels.get());
}

std::string RowStream::id_name() const {
  if (state_->rows) return state_->rows->id_name();
  const auto* table = std::get_if<TableReader>(&state_->files->reader());
  return table ? table->columns().name_of(table->columns().id) : "";
}

std::vector<std::string> RowStream::kept_names() const {
  std::vector<std::string> names;
  if (state_->rows) return names;
  const auto* table = std::get_if<TableReader>(&state_->files->reader());
  if (!table) return names;
  for (const std::uint32_t field : table->columns().kept) {
    names.push_back(table->columns().name_of(field));
  }
  return names;
}

std::size_t RowStream::widest() const {
  if (state_->rows) return state_->rows->widest();
  return std::visit([](const auto& reader) { return reader.widest(); }, state_->files->reader());
}

}  // namespace rampart
