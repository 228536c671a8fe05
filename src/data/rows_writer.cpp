#include "data/rows_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 22;

template <class Number>
std::string_view bytes_of(std::span<const Number> numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size_bytes()};
}

template <class Number>
std::string_view bytes_of(const Number& number) {
  return bytes_of(std::span(&number, 1));
}

template <class Number>
std::span<char> writable_bytes_of(std::vector<Number>& numbers) {
  return {reinterpret_cast<char*>(numbers.data()), numbers.size() * sizeof(Number)};
}

template <class Number>
void append_number(std::string& bytes, Number number) {
  bytes += bytes_of(number);
}

}  // namespace

RowsWriter::RowsWriter(OutputFile& output, bool dense, const RowsFileOptions& options)
    : output_(output),
      options_(options),
      sums_(options.block_bytes),
      starts_(output.path()),
      indices_(output.path()),
      weights_(output.path()) {
  if (!output.is_seekable()) {
    throw OutputError(output.path() + ": rows in binary form go to a file, not to a pipe");
  }
  header_.dense = dense;
  header_.value_bytes = options.float32 ? 4 : 8;
  header_.block_bytes = options.block_bytes;
  append(std::string(rows_header_bytes, '\0'));
  begin_section(SectionKind::values);
  if (!dense) starts_.add(bytes_of(std::uint64_t{0}));
}

void RowsWriter::add(const Problem& rows) {
  const RowsView& x = rows.x;
  const bool whole_rows = header_.dense && !options_.float32 && x.is_dense();
  for (std::size_t n = 0; n < x.size(); ++n) {
    const std::uint64_t row = header_.rows + n;
    if (whole_rows) {
      // The usual case, without looking at each value.
      x.with_dense_row(n, [&]<class Value>(std::span<const Value> values) {
        if constexpr (std::is_same_v<Value, double>) {
          buffer_ += bytes_of(values);
        } else {
          for (const double value : values) append_number(buffer_, value);
        }
        header_.stored += values.size();
        for (std::size_t j = values.size(); j < x.columns(); ++j) add_value(row, j, 0);
      });
    } else if (header_.dense) {
      std::size_t next = 0;
      x.for_each(n, [&](std::size_t j, double value) {
        for (; next < j; ++next) add_value(row, next, 0);
        add_value(row, next++, value);
      });
      for (; next < x.columns(); ++next) add_value(row, next, 0);
    } else {
      x.for_each(n, [&](std::size_t j, double value) {
        if (value == 0 && x.is_dense()) return;
        indices_.add(bytes_of(static_cast<std::uint32_t>(j)));
        add_value(row, j, value);
      });
      starts_.add(bytes_of(header_.stored));
    }
    if (buffer_.size() >= buffer_bytes) write_values();
  }
  header_.rows += x.size();
  weights_.add(bytes_of(rows.weights));
  add_texts(ids_, rows.ids);
  add_texts(groups_, rows.groups);
}

void RowsWriter::add_value(std::size_t row, std::size_t column, double value) {
  ++header_.stored;
  if (!options_.float32) {
    append_number(buffer_, value);
    return;
  }
  const auto narrow = static_cast<float>(value);
  if (std::isinf(narrow)) {
    throw InputError(
        fmt::format("row {}: feature {} is {}, beyond the range of float32; write "
                    "float64",
                    row + 1, column + 1, value));
  }
  rounded_ += static_cast<double>(narrow) != value && !std::isnan(value) ? 1 : 0;
  append_number(buffer_, narrow);
}

void RowsWriter::write_values() {
  append(buffer_);
  buffer_.clear();
}

void RowsWriter::add_texts(std::optional<Texts>& texts, std::span<const std::string> added) {
  if (added.empty()) return;
  if (!texts) {
    texts.emplace(Spool(output_.path()), Spool(output_.path()));
    texts->starts.add(bytes_of(std::uint64_t{0}));
  }
  for (const std::string& text : added) {
    texts->bytes.add(text);
    texts->starts.add(bytes_of(texts->bytes.size()));
  }
}

void RowsWriter::make_dense(std::size_t columns) {
  RAMPART_ASSERT(!header_.dense, "sparse rows");
  write_values();
  const std::size_t size = header_.value_bytes;
  const std::size_t together = std::max<std::size_t>(1, buffer_bytes / (columns * size));
  Spool full(output_.path());
  std::vector<std::uint64_t> starts;
  std::vector<std::uint32_t> indices;
  std::string values;
  std::string rows;
  for (std::size_t first = 0; first < header_.rows; first += together) {
    const std::size_t count = std::min<std::size_t>(together, header_.rows - first);
    starts.resize(count + 1);
    starts_.read_at(first * sizeof(std::uint64_t), writable_bytes_of(starts));
    indices.resize(starts.back() - starts.front());
    indices_.read_at(starts.front() * sizeof(std::uint32_t), writable_bytes_of(indices));
    values.resize(indices.size() * size);
    output_.read_at(rows_header_bytes + starts.front() * size, values);
    rows.assign(count * columns * size, '\0');
    for (std::size_t n = 0; n < count; ++n) {
      for (std::uint64_t k = starts[n] - starts[0]; k < starts[n + 1] - starts[0]; ++k) {
        values.copy(rows.data() + (n * columns + indices[k]) * size, size, k * size);
      }
    }
    full.add(rows);
  }
  output_.truncate(rows_header_bytes);
  position_ = rows_header_bytes;
  sums_ = BlockSums(options_.block_bytes);
  full.for_each_part([&](std::string_view part) { append(part); });
  header_.dense = true;
  header_.stored = header_.rows * columns;
}

void RowsWriter::change_values(std::size_t columns, const Change& change) {
  RAMPART_ASSERT(header_.dense && header_.stored == header_.rows * columns, "dense rows");
  write_values();
  const std::size_t row_bytes = columns * header_.value_bytes;
  const std::size_t together = std::max<std::size_t>(1, buffer_bytes / row_bytes);
  sums_ = BlockSums(options_.block_bytes);
  std::vector<char> bytes;
  std::vector<double> values;
  for (std::size_t first = 0; first < header_.rows; first += together) {
    const std::size_t rows = std::min<std::size_t>(together, header_.rows - first);
    const std::uint64_t offset = rows_header_bytes + first * row_bytes;
    bytes.resize(rows * row_bytes);
    values.resize(rows * columns);
    output_.read_at(offset, bytes);
    if (options_.float32) {
      std::vector<float> narrow(values.size());
      std::memcpy(narrow.data(), bytes.data(), bytes.size());
      std::ranges::copy(narrow, values.begin());
      change(first, values);
      std::ranges::transform(values, narrow.begin(),
                             [](double v) { return static_cast<float>(v); });
      std::memcpy(bytes.data(), narrow.data(), bytes.size());
    } else {
      std::memcpy(values.data(), bytes.data(), bytes.size());
      change(first, values);
      std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    const std::string_view changed(bytes.data(), bytes.size());
    output_.write_at(offset, changed);
    sums_.add(changed);
  }
}

// Ends the section before it, and begins this one at the next aligned place.
void RowsWriter::begin_section(SectionKind kind) {
  if (!header_.sections.empty()) {
    Section& last = header_.sections.back();
    last.bytes = position_ - last.offset;
    const std::vector<std::uint64_t> sums = sums_.finish();
    all_sums_.insert(all_sums_.end(), sums.begin(), sums.end());
  }
  const std::uint64_t gap = (section_alignment - position_ % section_alignment) % section_alignment;
  append(std::string(gap, '\0'));
  sums_ = BlockSums(options_.block_bytes);
  header_.sections.push_back({.kind = kind, .offset = position_});
}

void RowsWriter::append(std::string_view bytes) {
  output_.write(bytes);
  sums_.add(bytes);
  position_ += bytes.size();
}

void RowsWriter::append_spool(SectionKind kind, Spool& spool) {
  begin_section(kind);
  spool.for_each_part([&](std::string_view part) { append(part); });
}

void RowsWriter::append_texts(SectionKind starts, SectionKind bytes, std::optional<Texts>& texts) {
  if (!texts) return;
  append_spool(starts, texts->starts);
  append_spool(bytes, texts->bytes);
}

void RowsWriter::finish(const RowsColumns& columns, std::span<const std::int8_t> labels) {
  RAMPART_ASSERT(labels.size() == header_.rows, "a label for each row");
  write_values();
  if (!header_.dense) {
    append_spool(SectionKind::starts, starts_);
    append_spool(SectionKind::indices, indices_);
  }
  begin_section(SectionKind::labels);
  append(bytes_of(labels));
  if (weights_.size() > 0) append_spool(SectionKind::weights, weights_);
  append_texts(SectionKind::id_starts, SectionKind::id_bytes, ids_);
  append_texts(SectionKind::group_starts, SectionKind::group_bytes, groups_);
  begin_section(SectionKind::columns);
  append(encode(columns));
  begin_section(SectionKind::checksums);
  const std::string_view table = bytes_of(std::span<const std::uint64_t>(all_sums_));
  header_.checksum_of_checksums = checksum(table);
  append(table);
  header_.sections.back().bytes = table.size();
  header_.columns = columns.layout.count;
  header_.file_bytes = position_;
  const auto header = encode(header_);
  output_.write_at(0, {header.data(), header.size()});
}

std::uint64_t write_rows_file(const Problem& data, const std::string& path,
                              const RowsFileOptions& options) {
  OutputFile output(path);
  RowsWriter writer(output, data.x.is_dense(), options);
  writer.add(data);
  writer.finish({.classes = data.classes, .layout = layout_of(data)}, data.y);
  output.commit();
  return writer.rounded();
}

}  // namespace rampart
