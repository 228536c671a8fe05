#include "commands/labelled_rows.hpp"

#include "data/rows_file_stream.hpp"
#include "files/inputs.hpp"

namespace rampart::tool {
namespace {

template <class Value>
std::vector<Value> chosen(std::span<const Value> all, std::span<const std::size_t> which) {
  std::vector<Value> some;
  if (all.empty()) return some;
  some.reserve(which.size());
  for (const std::size_t n : which) some.push_back(all[n]);
  return some;
}

}  // namespace

Problem LabelledRows::all() const {
  Problem problem = std::holds_alternative<Dataset>(stored_)
                        ? Problem(std::get<Dataset>(stored_))
                        : std::get<MappedDataset>(stored_).problem();
  if (groups_) problem.groups = *groups_;
  return problem;
}

Problem LabelledRows::view() const {
  Problem problem = all();
  if (!part_) return problem;
  problem.x = problem.x.at_places(part_->places);
  problem.y = part_->y;
  problem.weights = part_->weights;
  problem.groups = part_->groups;
  problem.ids = part_->ids;
  return problem;
}

std::uint64_t LabelledRows::mapped_bytes() const {
  const auto* mapped = std::get_if<MappedDataset>(&stored_);
  return mapped != nullptr ? mapped->bytes() : 0;
}

LabelledRows LabelledRows::part(std::span<const std::size_t> rows) const {
  const Problem now = view();
  if (const auto* data = std::get_if<Dataset>(&stored_)) {
    LabelledRows some(data->subset(rows));
    if (groups_) some.groups_ = chosen(now.groups, rows);
    return some;
  }
  // Read in place again: mapping a file costs nothing.
  LabelledRows some(files_, options_);
  some.part_ = Part{.places = now.x.places_of(rows),
                    .y = chosen(now.y, rows),
                    .weights = chosen(now.weights, rows),
                    .groups = chosen(now.groups, rows),
                    .ids = chosen(now.ids, rows)};
  return some;
}

LabelledRows read_rows(const std::string& data, const ReadOptions& options, bool check_now) {
  const std::vector<std::string> files = files_of(data);
  if (!are_rows_files(files)) return read_dataset(files, options);
  require_no_text_options(files, options);
  return {files,
          {.check_now = check_now, .positive = options.positive, .classes = options.classes}};
}

Dataset read_copy(const std::string& data, const ReadOptions& options) {
  return read_dataset(files_of(data), options);
}

}  // namespace rampart::tool
