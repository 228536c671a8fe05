#include "data/row_files.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>
#include <numeric>
#include <string_view>
#include <utility>

#include "util/assert.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

std::string_view format_name(const FoundRows& rows) {
  const auto* table = std::get_if<TableRows>(&rows);
  return table == nullptr ? "LIBSVM" : table->arff() != nullptr ? "ARFF" : "CSV";
}

}  // namespace

RowFiles::RowFiles(std::span<const std::string> paths, const ReadOptions& options, bool labelled,
                   const BlockSizes& sizes)
    : paths_(paths.begin(), paths.end()), options_(options) {
  RAMPART_ASSERT(!paths.empty(), "at least one file");
  for (const std::string& path : paths) {
    std::error_code unknown;
    const auto size = several() ? std::filesystem::file_size(path, unknown) : 0;
    sizes_.push_back(unknown ? 0 : size);
  }
  ByteSource first = ByteSource::file(paths_.front(), options.limits);
  name_ = first.name();
  if (several()) {
    name_ += fmt::format(" and {} more file{}", paths_.size() - 1, paths_.size() > 2 ? "s" : "");
  }
  reader_.emplace(open_rows(std::move(first), options_of(0), labelled, sizes));
}

RowFiles::RowFiles(ByteSource source, const ReadOptions& options, bool labelled,
                   const BlockSizes& sizes)
    : paths_{source.name()}, sizes_{0}, options_(options), name_(source.name()) {
  reader_.emplace(open_rows(std::move(source), options, labelled, sizes));
}

FilePart RowFiles::part(std::size_t file) const {
  if (!several()) return {};
  if (std::ranges::find(sizes_, 0U) != sizes_.end()) return {.before = 0, .size = 0};
  const auto bytes = [&](std::size_t files) {
    const auto end = sizes_.begin() + static_cast<std::ptrdiff_t>(files);
    return static_cast<double>(std::accumulate(sizes_.begin(), end, std::uint64_t{0}));
  };
  const double all = bytes(sizes_.size());
  return {.before = bytes(file) / all, .size = static_cast<double>(sizes_[file]) / all};
}

// Progress counts the bytes of all files.
ReadOptions RowFiles::options_of(std::size_t file) const {
  ReadOptions options = options_;
  if (options.progress && several()) {
    const auto end = sizes_.begin() + static_cast<std::ptrdiff_t>(file);
    const std::uint64_t before = std::accumulate(sizes_.begin(), end, std::uint64_t{0});
    options.progress = [=, tell = options_.progress](std::uint64_t bytes) { tell(before + bytes); };
  }
  return options;
}

bool RowFiles::open_next() {
  if (next_ >= paths_.size()) return false;
  const std::size_t file = next_++;
  ReadOptions options = options_of(file);
  auto* const table = std::get_if<TableReader>(&*reader_);
  if (table != nullptr && table->columns().count == 0) refuse({paths_[0]}, "no rows");
  const Format first = table == nullptr   ? Format::libsvm
                       : table->is_arff() ? Format::arff
                                          : Format::csv;
  // A file with few rows, or none, may not show what it is; but ARFF files say it.
  ByteSource source = ByteSource::file(paths_[file], options.limits);
  const Place place{paths_[file]};
  if (first != Format::arff && options.format == Format::automatic) options.format = first;
  FoundRows found = find_rows(std::move(source), options);
  if (auto* lines = std::get_if<LineReader>(&found); lines != nullptr && table == nullptr) {
    std::get<LibsvmReader>(*reader_).go_on(std::move(*lines), part(file));
    return true;
  }
  auto* const rows = std::get_if<TableRows>(&found);
  if (table != nullptr && rows != nullptr && (rows->arff() != nullptr) == table->is_arff()) {
    table->go_on(std::move(*rows), part(file));
    return true;
  }
  refuse(place, fmt::format("is a {} file, and {} is another kind; the files of a data set must "
                            "have the same format",
                            format_name(found), printable(paths_[0], 200)));
}

}  // namespace rampart
