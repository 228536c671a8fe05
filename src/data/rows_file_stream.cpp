#include "data/rows_file_stream.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <utility>

#include "data/classes.hpp"
#include "data/limits.hpp"
#include "data/place.hpp"
#include "rampart/rows_file.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// Sparse rows that are nearly full are dense, batch by batch, as when they are read from text: the
// same answers to the last bit.
Rows as_from_text(Rows rows) {
  const double all = static_cast<double>(rows.size()) * static_cast<double>(rows.columns());
  const bool full = static_cast<double>(rows.stored_values()) >= dense_share * all;
  if (!rows.is_dense() && full) return std::move(rows).to_dense();
  return rows;
}

void refuse_missing(const Dataset& data, const Place& file) {
  std::size_t missing = 0;
  std::size_t first = 0;
  for (std::size_t n = 0; n < data.size(); ++n) {
    data.x.for_each(n, [&](std::size_t, double value) {
      if (!std::isnan(value)) return;
      if (missing++ == 0) first = n + 1;
    });
  }
  if (missing == 0) return;
  refuse(file, fmt::format("{} missing values, the first in row {}; fill or remove them", missing,
                           first));
}

}  // namespace

void refuse_text_options(const ReadOptions& options, const RowsHeader& header,
                         const FeatureLayout& layout, std::string_view file) {
  const auto refuse_if = [&](bool given, std::string_view what, Setting setting) {
    if (!given) return;
    refuse(
        {.file = file},
        fmt::format("{} was decided when this file of rows was made; convert the text again", what),
        setting);
  };
  const auto differs = [](const std::string& wanted, const std::string& there) {
    return !wanted.empty() && wanted != there;
  };
  refuse_if(options.format != Format::automatic, "the format", Setting::none);
  refuse_if(differs(options.label, layout.label), "the label column", Setting::label);
  refuse_if(differs(options.id, layout.id), "the column of ids", Setting::id);
  refuse_if(!options.group.empty() && header.find(SectionKind::group_starts) == nullptr,
            "the column of groups", Setting::groups);
  refuse_if(!options.weight.empty() && header.find(SectionKind::weights) == nullptr,
            "the column of weights", Setting::weight);
  refuse_if(!options.ignore.empty(), "which columns are left out", Setting::ignore);
  refuse_if(!options.categorical.empty(), "which columns are categorical", Setting::categorical);
  refuse_if(options.max_categories.has_value(), "the limit of categories", Setting::max_categories);
  refuse_if(!options.missing_values.empty() && options.missing_values != layout.missing_values,
            "how missing values are spelled", Setting::missing_values);
  refuse_if(!options.keep.empty() || options.keep_all, "which columns are kept", Setting::keep);
  refuse_if(options.header.has_value(), "the header", Setting::header);
  refuse_if(options.delimiter.has_value(), "the delimiter", Setting::delimiter);
}

void require_no_text_options(std::span<const std::string> paths, const ReadOptions& options) {
  for (const std::string& path : paths) {
    const MappedFile file(path);
    refuse_text_options(options, file.header(), file.columns().layout, path);
  }
}

bool are_rows_files(std::span<const std::string> paths) {
  const bool first = !paths.empty() && is_rows_file(paths.front());
  for (const std::string& path : paths) {
    if (is_rows_file(path) == first) continue;
    refuse({.file = path}, fmt::format("{}, and {} is another kind; the files of a data set must "
                                       "have the same format",
                                       first ? "is text" : "holds rows in binary form",
                                       printable(paths.front(), 200)));
  }
  return first;
}

Dataset read_rows_files(std::span<const std::string> paths, const ReadOptions& options) {
  require_no_text_options(paths, options);
  const MappedDataset mapped(paths, {.positive = options.positive, .classes = options.classes});
  const Problem found = mapped.problem();
  const ColumnMatch match(layout_of(found), found.x.is_dense(),
                          options.expected ? &*options.expected : nullptr, paths.front());
  Dataset data;
  std::vector<std::string> unseen;
  data.x = as_from_text(match.apply(found.x, unseen));
  data.y = {found.y.begin(), found.y.end()};
  data.classes = options.classes.value_or(found.classes);
  data.weights = {found.weights.begin(), found.weights.end()};
  data.groups = {found.groups.begin(), found.groups.end()};
  data.ids = {found.ids.begin(), found.ids.end()};
  data.id = found.id;
  FeatureLayout layout = layout_of(found);
  if (!match.is_identity()) {
    layout = *options.expected;
    if (found.features.empty()) layout.names.clear();
  }
  data.features = std::move(layout.names);
  data.categories = std::move(layout.categories);
  data.label = found.label;
  data.fields = std::move(layout.fields);
  data.file_columns = layout.file_columns;
  data.missing_values = std::move(layout.missing_values);
  if (options.refuse_missing.value_or(false)) refuse_missing(data, {.file = paths.front()});
  return data;
}

RowsFileStream::RowsFileStream(std::vector<std::string> paths, const ReadOptions& options)
    : paths_(std::move(paths)), options_(options) {
  open(0);
}

void RowsFileStream::open(std::size_t number) {
  const std::string before = file_ ? id_name() : "";
  file_number_ = number;
  row_ = 0;
  const std::string& path = paths_[number];
  file_ = std::make_unique<MappedFile>(path);
  const FeatureLayout& layout = file_->columns().layout;
  refuse_text_options(options_, file_->header(), layout, path);
  match_.emplace(layout, file_->header().dense, &*options_.expected, path);
  const bool same_ids = number == 0 || before == id_name();
  if (!same_ids) refuse({.file = path}, "the files have different columns of ids");
  if (options_.labelled) {
    const ClassNames& classes = file_->columns().classes;
    const ClassNames wanted{class_name(options_.classes->negative),
                            class_name(options_.classes->positive)};
    swapped_ = wanted == ClassNames{classes.positive, classes.negative};
    if (!swapped_ && wanted != classes) {
      refuse({.file = path}, fmt::format("its classes are {} and {}, those of the model {} and {}",
                                         quoted(classes.negative), quoted(classes.positive),
                                         quoted(wanted.negative), quoted(wanted.positive)));
    }
  }
  widest_ = std::max(widest_, match_->is_identity() ? layout.count : match_->count());
}

const std::string& RowsFileStream::id_name() const {
  static const std::string none;
  const bool any = file_->header().find(SectionKind::id_starts) != nullptr;
  return any ? file_->columns().layout.id : none;
}

RowBatch RowsFileStream::next(std::size_t most) {
  if (row_ == file_->rows() && file_number_ + 1 < paths_.size()) open(file_number_ + 1);
  RowBatch batch;
  const std::size_t begin = row_;
  const std::size_t end = row_ + std::min(most, file_->rows() - row_);
  file_->ensure_readable(begin, end);
  batch.x = as_from_text(match_->apply(file_->view().range(begin, end), batch.unseen));
  batch.ids = file_->ids(begin, end);
  if (options_.labelled) {
    for (const std::int8_t y : file_->labels().subspan(begin, end - begin)) {
      batch.y.push_back(swapped_ ? static_cast<std::int8_t>(-y) : y);
    }
  }
  file_->dont_need(begin, end);
  row_ = end;
  return batch;
}

}  // namespace rampart
