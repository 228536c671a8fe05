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

template <class Reader>
Dataset collect(Reader& reader, const ReadOptions& options) {
  constexpr bool is_table = std::is_same_v<Reader, TableReader>;
  const Place file = reader.whole_file();
  ClassFinder classes(options.classes, is_table);
  Dataset data;
  reader.expect_all();
  while (const auto row = reader.next()) {
    data.y.push_back(classes.find(row->label, row->place));  // 0 or 1 for now
    if (reader.weighted()) data.weights.push_back(row->weight);
    if (reader.grouped()) {
      if (row->group.empty()) refuse(row->place, "no group");
      data.groups.emplace_back(row->group);
    }
  }
  if (data.y.empty()) refuse(file, "no rows");
  data.x = reader.take();
  if (data.x.columns() == 0) refuse(file, "no features");
  data.features = reader.feature_names();
  data.label = reader.label_name();
  data.missing_values = options.missing_values;

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
        std::size_t n = 0;
        while (n < most && reader.next()) ++n;
        state_->any = state_->any || n > 0;
        if (!state_->any) refuse(reader.whole_file(), "no rows");
        return RowBatch{.x = reader.take()};
      },
      state_->rows);
}

std::string RowStream::id_name() const { return ""; }
std::vector<std::string> RowStream::kept_names() const { return {}; }

std::size_t RowStream::widest() const {
  return std::visit([](const auto& reader) { return reader.widest(); }, state_->rows);
}

}  // namespace rampart
