#include "data/mapped_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <limits>
#include <system_error>
#include <type_traits>
#include <utility>

#include "data/place.hpp"
#include "util/assert.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr std::size_t bytes_together = std::size_t{1} << 20;

/// Of a page of memory.
std::uint64_t page_bytes() {
  static const long bytes = ::sysconf(_SC_PAGESIZE);
  return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 65536;
}

std::string_view name_of(SectionKind kind) {
  switch (kind) {
    using enum SectionKind;
    case values:
      return "values";
    case starts:
      return "row starts";
    case indices:
      return "indices";
    case labels:
      return "labels";
    case weights:
      return "weights";
    case id_starts:
      [[fallthrough]];
    case id_bytes:
      return "ids";
    case group_starts:
      [[fallthrough]];
    case group_bytes:
      return "groups";
    case columns:
      return "columns";
    case checksums:
      return "checksums";
  }
  return "rows";
}

}  // namespace

MappedFile::MappedFile(const std::string& path) : path_(path) {
  try {
    open();
  } catch (...) {
    close();
    throw;
  }
}

MappedFile::~MappedFile() { close(); }

void MappedFile::close() noexcept {
  if (map_ != nullptr) ::munmap(const_cast<char*>(map_), size_);
  if (descriptor_ >= 0) ::close(descriptor_);
  map_ = nullptr;
  descriptor_ = -1;
}

void MappedFile::open() {
  const Place place{.file = path_};
  const auto refuse_error = [&] { refuse(place, std::generic_category().message(errno)); };
  do {
    descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  } while (descriptor_ < 0 && errno == EINTR);
  struct stat file {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &file) != 0) refuse_error();
  if (!S_ISREG(file.st_mode)) refuse(place, "rows in binary form are read from a file only");
  size_ = static_cast<std::uint64_t>(file.st_size);
  changed_seconds_ = file.st_mtim.tv_sec;
  changed_nanoseconds_ = file.st_mtim.tv_nsec;

  // The header by reading, so that a file that is empty or shorter is no special case.
  std::string start(static_cast<std::size_t>(std::min<std::uint64_t>(size_, rows_header_bytes)), 0);
  const ssize_t count = ::pread(descriptor_, start.data(), start.size(), 0);
  if (count < 0) refuse_error();
  start.resize(static_cast<std::size_t>(count));
  header_ = decode_rows_header(start, size_, path_);
  void* const map = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, descriptor_, 0);
  if (map == MAP_FAILED) refuse_error();
  map_ = static_cast<const char*>(map);
  // Rows are read from the first to the last. With this the system reads ahead far enough: a pass
  // over a file larger than the memory is two times as fast as without.
  ::madvise(map, size_, MADV_SEQUENTIAL);

  std::uint64_t blocks = 0;
  first_block_.resize(section_kinds);
  for (const Section& section : header_.sections) {
    first_block_[static_cast<std::size_t>(section.kind)] = blocks;
    blocks += section.blocks(header_.block_bytes);
  }
  const Section& sums = header_.sections.back();
  if (checksum(bytes(sums)) != header_.checksum_of_checksums) {
    refuse(place, "is damaged in its checksums; convert it again");
  }
  checked_blocks_ = std::vector<std::atomic<bool>>(blocks);
  const std::uint64_t row_bytes =
      std::max<std::uint64_t>(1, header_.stored / header_.rows * header_.value_bytes);
  rows_together_ = std::max<std::size_t>(1, bytes_together / row_bytes);
  checked_rows_ = std::vector<std::atomic<bool>>((rows() - 1) / rows_together_ + 1);

  check_section(SectionKind::columns);
  columns_ = decode_rows_columns(bytes(*header_.find(SectionKind::columns)), header_, path_);
  check_section(SectionKind::labels);
  for (const std::int8_t y : labels()) {
    if (y != 1 && y != -1) refuse(place, "is damaged: a label is not -1 or 1; convert it again");
  }
  check_section(SectionKind::weights);
  for (const double weight : weights()) {
    if (!(weight >= 0) || std::isinf(weight)) {
      refuse(place, "is damaged: a weight is not a finite number >= 0; convert it again");
    }
  }
  if (!header_.dense) {
    const auto starts = array<std::uint64_t>(SectionKind::starts);
    if (starts.front() != 0 || starts.back() != header_.stored) {
      refuse(place, "is damaged: the rows do not add up; convert it again");
    }
  }
}

std::string_view MappedFile::bytes(const Section& section) const {
  return {map_ + section.offset, section.bytes};
}

template <class Number>
std::span<const Number> MappedFile::array(SectionKind kind) const {
  const Section* section = header_.find(kind);
  if (section == nullptr) return {};
  return {reinterpret_cast<const Number*>(map_ + section->offset), section->bytes / sizeof(Number)};
}

std::span<const std::int8_t> MappedFile::labels() const {
  return array<std::int8_t>(SectionKind::labels);
}

std::span<const double> MappedFile::weights() const { return array<double>(SectionKind::weights); }

RowsView MappedFile::view() const {
  const auto make = [&]<class Value>(std::span<const Value> values) {
    if (header_.dense) return RowsView::dense(values, rows(), header_.columns);
    return RowsView::sparse_unchecked(
        header_.columns, rows(), array<std::size_t>(SectionKind::starts).data(),
        array<std::uint32_t>(SectionKind::indices).data(), values.data());
  };
  return header_.value_bytes == 4 ? make(array<float>(SectionKind::values))
                                  : make(array<double>(SectionKind::values));
}

std::vector<std::string> MappedFile::ids(std::size_t begin, std::size_t end) const {
  return texts(SectionKind::id_starts, SectionKind::id_bytes, begin, end);
}

std::vector<std::string> MappedFile::groups(std::size_t begin, std::size_t end) const {
  return texts(SectionKind::group_starts, SectionKind::group_bytes, begin, end);
}

std::vector<std::string> MappedFile::texts(SectionKind starts, SectionKind bytes_kind,
                                           std::size_t begin, std::size_t end) const {
  if (header_.find(starts) == nullptr || begin == end) return {};
  check_blocks(starts, begin * sizeof(std::uint64_t), (end + 1) * sizeof(std::uint64_t), begin,
               end);
  const auto at = array<std::uint64_t>(starts).subspan(begin, end - begin + 1);
  const std::string_view all = bytes(*header_.find(bytes_kind));
  if (!std::ranges::is_sorted(at) || at.back() > all.size()) {
    refuse_row(begin, "texts of this row or after it do not add up");
  }
  check_blocks(bytes_kind, at.front(), at.back(), begin, end);
  std::vector<std::string> found;
  found.reserve(end - begin);
  for (std::size_t n = begin; n < end; ++n) {
    const std::string_view text = all.substr(at[n - begin], at[n - begin + 1] - at[n - begin]);
    if (!is_utf8(text)) refuse_row(n, "a text is not UTF-8");
    found.emplace_back(text);
  }
  return found;
}

void MappedFile::require_unchanged() const {
  struct stat file {};
  if (::fstat(descriptor_, &file) == 0 && static_cast<std::uint64_t>(file.st_size) == size_ &&
      file.st_mtim.tv_sec == changed_seconds_ && file.st_mtim.tv_nsec == changed_nanoseconds_) {
    return;
  }
  refuse({.file = path_}, "has changed while it was read; run the command again");
}

// A section that is read as a whole.
void MappedFile::check_section(SectionKind kind) const {
  const Section* section = header_.find(kind);
  if (section != nullptr) check_blocks(kind, 0, section->bytes, 0, rows());
}

// Bytes of a section that rows `first_row` … `last_row`−1 need.
void MappedFile::check_blocks(SectionKind kind, std::uint64_t begin, std::uint64_t end,
                              std::size_t first_row, std::size_t last_row) const {
  if (begin == end) return;
  const std::string_view all = bytes(*header_.find(kind));
  const auto sums = array<std::uint64_t>(SectionKind::checksums);
  for (std::uint64_t k = begin / header_.block_bytes; k <= (end - 1) / header_.block_bytes; ++k) {
    const std::uint64_t number = first_block_[static_cast<std::size_t>(kind)] + k;
    std::atomic<bool>& checked = checked_blocks_[number];
    if (checked.load(std::memory_order_acquire)) continue;
    if (checksum(all.substr(k * header_.block_bytes, header_.block_bytes)) != sums[number]) {
      refuse({.file = path_},
             fmt::format("is damaged: block {} of its {} has a wrong checksum (rows {} to {}); "
                         "convert it again",
                         k + 1, name_of(kind), first_row + 1, last_row));
    }
    checked.store(true, std::memory_order_release);
  }
}

// The first value of row `begin` and that after the last of row `end` − 1.
std::pair<std::uint64_t, std::uint64_t> MappedFile::stored_range(std::size_t begin,
                                                                 std::size_t end) const {
  if (header_.dense) return {begin * header_.columns, end * header_.columns};
  const auto starts = array<std::uint64_t>(SectionKind::starts);
  return {starts[begin], starts[end]};
}

void MappedFile::ensure_readable(std::size_t begin, std::size_t end) const {
  RAMPART_ASSERT(begin <= end && end <= rows(), "rows of the file");
  require_unchanged();
  if (begin == end) return;
  for (std::size_t k = begin / rows_together_; k <= (end - 1) / rows_together_; ++k) {
    // Two threads that come to the same rows at a time both check them, which does no harm.
    if (checked_rows_[k].load(std::memory_order_acquire)) continue;
    check_rows(k * rows_together_, std::min(rows(), (k + 1) * rows_together_));
    checked_rows_[k].store(true, std::memory_order_release);
  }
}

void MappedFile::check_rows(std::size_t begin, std::size_t end) const {
  if (!header_.dense) {
    check_blocks(SectionKind::starts, begin * sizeof(std::uint64_t),
                 (end + 1) * sizeof(std::uint64_t), begin, end);
    const auto starts = array<std::uint64_t>(SectionKind::starts).subspan(begin, end - begin + 1);
    if (!std::ranges::is_sorted(starts) || starts.back() > header_.stored) {
      refuse_row(begin, "rows from here on do not add up");
    }
  }
  const auto [first, last] = stored_range(begin, end);
  if (!header_.dense) {
    check_blocks(SectionKind::indices, first * sizeof(std::uint32_t), last * sizeof(std::uint32_t),
                 begin, end);
    check_places(begin, end);
  }
  check_blocks(SectionKind::values, first * header_.value_bytes, last * header_.value_bytes, begin,
               end);
  if (header_.value_bytes == 4) {
    check_values<float>(begin, end);
  } else {
    check_values<double>(begin, end);
  }
}

void MappedFile::check_places(std::size_t begin, std::size_t end) const {
  const auto starts = array<std::uint64_t>(SectionKind::starts);
  const auto indices = array<std::uint32_t>(SectionKind::indices);
  for (std::size_t n = begin; n < end; ++n) {
    if (starts[n] == starts[n + 1]) continue;
    const auto row = indices.subspan(starts[n], starts[n + 1] - starts[n]);
    if (std::ranges::adjacent_find(row, std::greater_equal()) != row.end() ||
        row.back() >= header_.columns) {
      refuse_row(n, "its features do not increase, or are too many");
    }
  }
}

template <class Value>
void MappedFile::check_values(std::size_t begin, std::size_t end) const {
  const auto [first, last] = stored_range(begin, end);
  const auto values = array<Value>(SectionKind::values).subspan(first, last - first);
  bool infinite = false;
  for (const Value value : values) infinite |= std::abs(value) > std::numeric_limits<Value>::max();
  if (infinite) refuse_row(begin, "a value in this row or after it is not finite");
  const Categories& categories = columns_.layout.categories;
  for (std::size_t j = 0; j < categories.size(); ++j) {
    if (categories[j].empty()) continue;
    const auto count = static_cast<Value>(categories[j].size());
    for (std::size_t n = begin; n < end; ++n) {
      const Value code = values[(n - begin) * header_.columns + j];
      const bool good = std::isnan(code) || (code >= static_cast<Value>(unseen_category) &&
                                             code < count && code == std::floor(code));
      if (!good) refuse_row(n, fmt::format("feature {} is no category", j + 1));
    }
  }
}

void MappedFile::refuse_row(std::size_t row, std::string_view fault) const {
  refuse({.file = path_},
         fmt::format("is damaged in row {}: {}; convert it again", row + 1, fault));
}

// The pages that hold the values of these rows.
template <class Use>
void MappedFile::with_pages(std::size_t begin, std::size_t end, const Use& use) const {
  const auto [first, last] = stored_range(begin, end);
  const auto use_bytes = [&](SectionKind kind, std::size_t size) {
    const std::uint64_t offset = header_.find(kind)->offset;
    const std::uint64_t from = (offset + first * size) / page_bytes() * page_bytes();
    const std::uint64_t to = std::min(size_, offset + last * size);
    if (from < to) use(from, to - from);
  };
  if (first > last || last > header_.stored) return;  // starts that were not checked yet
  use_bytes(SectionKind::values, header_.value_bytes);
  if (!header_.dense) use_bytes(SectionKind::indices, sizeof(std::uint32_t));
}

// Advice that fails does no harm. Passes in order are faster without this one, which waits for the
// disk more than it helps: it is for ranges out of order, and for single rows far apart. Of these
// exactly the pages are read that hold them, where touching them would make the system read ahead
// by megabytes: by then all of the file.
void MappedFile::will_need(std::size_t begin, std::size_t end) const {
  with_pages(begin, end, [&](std::uint64_t offset, std::uint64_t count) {
    ::madvise(const_cast<char*>(map_) + offset, count, MADV_WILLNEED);
  });
}

void MappedFile::dont_need(std::size_t begin, std::size_t end) const {
  with_pages(begin, end, [&](std::uint64_t offset, std::uint64_t count) {
    ::madvise(const_cast<char*>(map_) + offset, count, MADV_DONTNEED);
  });
}

}  // namespace rampart
