#include <fmt/format.h>
#include <array>
#include <type_traits>
#include <utility>

#include "data/byte_source.hpp"
#include "data/classes.hpp"
#include "data/read_lines.hpp"
#include "data/row_reader.hpp"
#include "rampart/io.hpp"
#include "util/assert.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// A data set whose weights leave out a class is taken for a mistake.
void check_weights(const Dataset& data, bool both_classes, const Place& file) {
  if (data.weights.empty()) return;
  std::array<bool, 2> has_weight = {false, false};
  for (std::size_t n = 0; n < data.size(); ++n) {
    if (data.weights[n] > 0) has_weight[data.y[n] > 0] = true;
  }
  if (!has_weight[0] && !has_weight[1]) refuse(file, "every weight is 0");
  if (!both_classes || (has_weight[0] && has_weight[1])) return;
  refuse(file, fmt::format("no row of class {} has a weight > 0",
                           quoted(has_weight[0] ? data.classes.positive : data.classes.negative)));
}

// Rows without a label. Only the first are named.
class UnlabelledRows {
 public:
  void add(std::size_t line) {
    if (++count_ <= most_named) {
      lines_ += fmt::format("{}{}", lines_.empty() ? "" : ", ", line);
    }
  }

  void refuse_any(const Place& file) const {
    if (count_ == 0) return;
    refuse(file, fmt::format("{} no label: line{} {}{}; fill {} in, or remove the row{}",
                             count_ == 1 ? "1 row has" : fmt::format("{} rows have", count_),
                             count_ == 1 ? "" : "s", lines_, count_ > most_named ? ", …" : "",
                             count_ == 1 ? "it" : "them", count_ == 1 ? "" : "s"));
  }

 private:
  static constexpr std::size_t most_named = 5;
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

template <class Reader>
Dataset collect(Reader& reader, const ReadOptions& options) {
  constexpr bool is_table = std::is_same_v<Reader, TableReader>;
  const Place file = reader.whole_file();
  ClassFinder classes(options.classes, is_table);
  Dataset data;
  reader.expect_all();
  UnlabelledRows unlabelled;
  while (const auto row = reader.next()) {
    if (reader.missing_values().has_label(row->label)) {
      unlabelled.add(row->place.line);
      continue;
    }
    data.y.push_back(classes.find(row->label, row->place));  // 0 or 1 for now
    if (reader.weighted()) data.weights.push_back(row->weight);
    if (reader.grouped()) {
      if (row->group.empty()) refuse(row->place, "no group");
      data.groups.emplace_back(row->group);
    }
    if constexpr (is_table) {
      if (!reader.columns().id) continue;
      check_id(*row);
      data.ids.emplace_back(row->id);
    }
  }
  unlabelled.refuse_any(file);
  if (data.y.empty()) refuse(file, "no rows");
  data.x = reader.take();
  if (data.x.columns() == 0) refuse(file, "no features");
  if constexpr (is_table) describe_columns(data, reader, options);

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
  check_weights(data, !options.classes, file);
  return data;
}

Dataset read(ByteSource source, const ReadOptions& options) {
  RowReader rows = open_rows(std::move(source), options, true);
  return std::visit([&](auto& reader) { return collect(reader, options); }, rows);
}

}  // namespace

Dataset read_dataset(const std::string& path, const ReadOptions& options) {
  return read(ByteSource::file(path, options.limits), options);
}

Dataset parse_dataset(std::string_view text, const std::string& name, const ReadOptions& options) {
  return read(ByteSource::memory(text, name, 1 << 16, options.limits), options);
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

struct RowStream::State {
  RowReader rows;
  bool any = false;  // whether there has been a row
};

RowStream::RowStream(const std::string& path, const ReadOptions& options) {
  RAMPART_ASSERT(options.expected, "RowStream needs to know the features of the model");
  state_ = std::make_unique<State>(
      State{.rows = open_rows(ByteSource::file(path, options.limits), options, false)});
}

RowStream::~RowStream() = default;
RowStream::RowStream(RowStream&&) noexcept = default;
RowStream& RowStream::operator=(RowStream&&) noexcept = default;

RowBatch RowStream::next(std::size_t most) {
  return std::visit(
      [&](auto& reader) {
        constexpr bool is_table = std::is_same_v<std::decay_t<decltype(reader)>, TableReader>;
        RowBatch batch;
        std::size_t n = 0;
        for (; n < most; ++n) {
          auto row = reader.next();
          if (!row) break;
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
        state_->any = state_->any || n > 0;
        if (!state_->any) refuse(reader.whole_file(), "no rows");
        batch.x = reader.take();
        return batch;
      },
      state_->rows);
}

std::string RowStream::id_name() const {
  const auto* table = std::get_if<TableReader>(&state_->rows);
  return table ? table->columns().name_of(table->columns().id) : "";
}

std::vector<std::string> RowStream::kept_names() const {
  std::vector<std::string> names;
  const auto* table = std::get_if<TableReader>(&state_->rows);
  if (!table) return names;
  for (const std::uint32_t field : table->columns().kept) {
    names.push_back(table->columns().name_of(field));
  }
  return names;
}

std::size_t RowStream::widest() const {
  return std::visit([](const auto& reader) { return reader.widest(); }, state_->rows);
}

}  // namespace rampart
