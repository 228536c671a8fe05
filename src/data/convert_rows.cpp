#include "data/convert_rows.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "data/limits.hpp"
#include "data/mapped_file.hpp"
#include "data/place.hpp"
#include "data/read_batches.hpp"
#include "data/rows_file_stream.hpp"
#include "data/rows_writer.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

/// One column, from the codes that were given while it was read to those that stay.
class Recoder {
 public:
  Recoder(const Recoding& recoding, bool float32)
      : feature_(recoding.feature),
        rows_of_numbers_(recoding.rows_of_numbers),
        of_code_(recoding.of_code) {
    for (const auto& [number, code] : recoding.of_number) {
      // In the file it is rounded already.
      const double stored = float32 ? static_cast<double>(static_cast<float>(number)) : number;
      const auto [found, is_new] =
          of_number_.try_emplace(std::bit_cast<std::uint64_t>(stored), code);
      if (is_new || found->second == code || rows_of_numbers_ == 0) continue;
      throw InputError(fmt::format(
          "feature {} has categories that float32 cannot tell apart; write float64", feature_ + 1));
    }
  }

  [[nodiscard]] bool is_needed() const {
    if (rows_of_numbers_ > 0) return true;
    for (std::size_t k = 0; k < of_code_.size(); ++k) {
      if (of_code_[k] != k) return true;
    }
    return false;
  }

  void apply(std::size_t first, std::size_t columns, std::span<double> values) const {
    const std::size_t rows = values.size() / columns;
    for (std::size_t n = 0; n < rows; ++n) {
      double& value = values[n * columns + feature_];
      if (std::isnan(value)) continue;
      value = first + n < rows_of_numbers_ ? of_number_.at(std::bit_cast<std::uint64_t>(value))
                                           : of_code_[static_cast<std::size_t>(value)];
    }
  }

 private:
  std::size_t feature_;
  std::size_t rows_of_numbers_;
  std::vector<std::uint32_t> of_code_;
  std::unordered_map<std::uint64_t, std::uint32_t> of_number_;  // by its bits
};

void recode(RowsWriter& writer, const std::vector<Recoding>& recodings, std::size_t columns,
            bool float32) {
  std::vector<Recoder> needed;
  for (const Recoding& recoding : recodings) {
    Recoder recoder(recoding, float32);
    if (recoder.is_needed()) needed.push_back(std::move(recoder));
  }
  if (needed.empty()) return;
  writer.change_values(columns, [&](std::size_t first, std::span<double> values) {
    for (const Recoder& recoder : needed) recoder.apply(first, columns, values);
  });
}

ConvertedRows summary(const RowsWriter& writer, const ClassNames& classes, std::size_t columns,
                      bool dense) {
  return {.rows = writer.rows(),
          .columns = columns,
          .dense = dense,
          .stored = writer.stored(),
          .rounded = writer.rounded(),
          .classes = classes};
}

ConvertedRows convert_text(std::span<const std::string> paths, const ReadOptions& options,
                           OutputFile& output, const RowsFileOptions& form,
                           const BatchSizes& sizes) {
  std::optional<RowsWriter> writer;
  std::size_t columns = 0;  // LIBSVM: of the widest row
  bool dense = false;
  const BatchSink sink{.values = sizes.values,
                       .least_rows = sizes.least_rows,
                       .begin =
                           [&](bool is_table) {
                             dense = is_table;
                             writer.emplace(output, dense, form);
                           },
                       .add =
                           [&](const Dataset& batch) {
                             columns = std::max(columns, batch.x.columns());
                             Problem rows(batch.x, {}, batch.weights);
                             rows.groups = batch.groups;
                             rows.ids = batch.ids;
                             writer->add(rows);
                           },
                       .recode =
                           [&](const std::vector<Recoding>& recodings) {
                             recode(*writer, recodings, columns, form.float32);
                           }};
  const Dataset read = read_batches(paths, options, sink);
  const double all = static_cast<double>(writer->rows()) * static_cast<double>(columns);
  if (!dense && static_cast<double>(writer->stored()) >= dense_share * all) {
    writer->make_dense(columns);
    dense = true;
  }
  FeatureLayout layout = layout_of(read);
  layout.count = columns;
  writer->finish({.classes = read.classes, .layout = std::move(layout)}, read.y);
  return summary(*writer, read.classes, columns, dense);
}

ConvertedRows convert_rows(std::span<const std::string> paths, const ReadOptions& options,
                           OutputFile& output, const RowsFileOptions& form) {
  require_no_text_options(paths, options);
  const MappedDataset mapped(paths, {.check_now = false, .positive = options.positive});
  const Problem all = mapped.problem();
  const bool dense = all.x.is_dense();
  RowsWriter writer(output, dense, form);
  constexpr std::size_t rows_together = 1 << 14;
  for (std::size_t n = 0; n < all.size(); n += rows_together) {
    const std::size_t count = std::min(rows_together, all.size() - n);
    Problem part(all.x.range(n, n + count), {});
    if (!all.weights.empty()) part.weights = all.weights.subspan(n, count);
    if (!all.groups.empty()) part.groups = all.groups.subspan(n, count);
    if (!all.ids.empty()) part.ids = all.ids.subspan(n, count);
    part.x.ensure_readable();
    writer.add(part);
    part.x.dont_need();
  }
  writer.finish({.classes = all.classes, .layout = layout_of(all)}, all.y);
  return summary(writer, all.classes, all.x.columns(), dense);
}

template <class Value>
std::vector<Value> chosen(std::span<const Value> all, std::span<const std::size_t> which) {
  std::vector<Value> some;
  for (const std::size_t n : which) {
    if (!all.empty()) some.push_back(all[n]);
  }
  return some;
}

}  // namespace

void write_some_rows(const std::string& path, std::span<const std::size_t> rows,
                     OutputFile& output) {
  const bool float32 = MappedFile(path).header().value_bytes == sizeof(float);
  const MappedDataset mapped(path, {.check_now = false});
  const Problem all = mapped.problem();
  RowsWriter writer(output, all.x.is_dense(), {.float32 = float32});
  constexpr std::size_t together = 1 << 14;
  for (std::size_t first = 0; first < rows.size(); first += together) {
    const auto which = rows.subspan(first, std::min(together, rows.size() - first));
    const auto weights = chosen(all.weights, which);
    const auto groups = chosen(all.groups, which);
    const auto ids = chosen(all.ids, which);
    Problem part(all.x.rows(which), {}, weights);
    part.groups = groups;
    part.ids = ids;
    part.x.ensure_readable();
    writer.add(part);
    part.x.dont_need();
  }
  writer.finish({.classes = all.classes, .layout = layout_of(all)}, chosen(all.y, rows));
}

ConvertedRows convert_to_rows(std::span<const std::string> paths, const ReadOptions& options,
                              OutputFile& output, const RowsFileOptions& form,
                              const BatchSizes& sizes) {
  if (paths.empty()) throw InputError("no files");
  if (are_rows_files(paths)) return convert_rows(paths, options, output, form);
  return convert_text(paths, options, output, form, sizes);
}

}  // namespace rampart
