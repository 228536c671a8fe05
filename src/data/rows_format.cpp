#include "data/rows_format.hpp"

#define XXH_INLINE_ALL  // no library at run time
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

#include <fmt/format.h>

#include "data/limits.hpp"
#include "data/place.hpp"
#include "util/assert.hpp"

namespace rampart {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little endian");
static_assert(sizeof(std::size_t) == sizeof(std::uint64_t), "row starts are read in place");

constexpr std::uint32_t byte_order = 0x01020304;
constexpr std::size_t table_at = 80;
constexpr std::size_t entry_bytes = 24;
constexpr std::size_t checksum_at = rows_header_bytes - sizeof(std::uint64_t);
constexpr std::uint64_t least_block = 4096;
constexpr std::uint64_t most_block = std::uint64_t{1} << 30;

// Numbers one after the other, at their place in the header.
class Fields {
 public:
  explicit Fields(char* at) : at_(at) {}
  template <class Number>
  void put(Number number) {
    std::memcpy(at_, &number, sizeof number);
    at_ += sizeof number;
  }
  template <class Number>
  Number take() {
    Number number;
    std::memcpy(&number, at_, sizeof number);
    at_ += sizeof number;
    return number;
  }

 private:
  char* at_;
};

std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
  return a * b;
}

class HeaderCheck {
 public:
  HeaderCheck(const RowsHeader& header, std::string_view file) : header_(header), file_{file} {}

  void counts() const {
    require(header_.rows > 0, "has no rows");
    require(header_.columns > 0, "has no features");
    require(header_.columns <= most_columns, "has more columns than a file may have");
    require(header_.value_bytes == 4 || header_.value_bytes == 8, "has values of unknown size");
    require(std::has_single_bit(header_.block_bytes) && header_.block_bytes >= least_block &&
                header_.block_bytes <= most_block,
            "has checksum blocks of an impossible size");
    require(header_.rows < std::numeric_limits<std::uint64_t>::max() / sizeof(std::uint64_t) - 1,
            "has an impossible number of rows");
  }

  void places() const {
    std::uint64_t end = rows_header_bytes;
    for (const Section& section : header_.sections) {
      require(section.offset >= end && section.offset % section_alignment == 0 &&
                  section.offset <= header_.file_bytes &&
                  section.bytes <= header_.file_bytes - section.offset,
              "has sections that lie outside of it or over each other");
      end = section.offset + section.bytes;
    }
  }

  void sizes() const {
    const auto rows = header_.rows;
    const auto stored = header_.dense ? product(rows, header_.columns) : header_.stored;
    require(stored == header_.stored, "has a wrong number of values");
    exactly(SectionKind::values, product(header_.stored, header_.value_bytes));
    if (!header_.dense) {
      exactly(SectionKind::starts, product(rows + 1, sizeof(std::uint64_t)));
      exactly(SectionKind::indices, product(header_.stored, sizeof(std::uint32_t)));
    }
    exactly(SectionKind::labels, rows);
    if (header_.find(SectionKind::weights)) {
      exactly(SectionKind::weights, product(rows, sizeof(double)));
    }
    for (const auto& [starts, bytes] : {std::pair(SectionKind::id_starts, SectionKind::id_bytes),
                                        {SectionKind::group_starts, SectionKind::group_bytes}}) {
      require((header_.find(starts) == nullptr) == (header_.find(bytes) == nullptr),
              "has texts without their lengths");
      if (header_.find(starts)) exactly(starts, product(rows + 1, sizeof(std::uint64_t)));
    }
    require(header_.find(SectionKind::columns) != nullptr, "does not describe its columns");
    std::uint64_t blocks = 0;
    for (const Section& section : header_.sections) {
      if (section.kind != SectionKind::checksums) blocks += section.blocks(header_.block_bytes);
    }
    exactly(SectionKind::checksums, product(blocks, sizeof(std::uint64_t)));
    require(header_.sections.back().kind == SectionKind::checksums,
            "has sections behind its checksums");
  }

  void require(bool holds, std::string_view fault) const {
    if (!holds) refuse(file_, fmt::format("is damaged: it {}; convert it again", fault));
  }

 private:
  void exactly(SectionKind kind, std::optional<std::uint64_t> bytes) const {
    const Section* section = header_.find(kind);
    require(section != nullptr && bytes && section->bytes == *bytes,
            "has a section of the wrong size");
  }

  const RowsHeader& header_;
  Place file_;
};

}  // namespace

std::uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

const Section* RowsHeader::find(SectionKind kind) const {
  const auto found = std::ranges::find(sections, kind, &Section::kind);
  return found == sections.end() ? nullptr : &*found;
}

std::array<char, rows_header_bytes> encode(const RowsHeader& header) {
  RAMPART_ASSERT(header.sections.size() < section_kinds, "each section once");
  std::array<char, rows_header_bytes> bytes{};
  rows_magic.copy(bytes.data(), rows_magic.size());
  Fields fields(bytes.data() + rows_magic.size());
  fields.put(rows_version);
  fields.put(byte_order);
  fields.put(header.rows);
  fields.put(header.columns);
  fields.put(header.stored);
  fields.put(std::uint32_t{header.dense ? 0U : 1U});
  fields.put(header.value_bytes);
  fields.put(header.block_bytes);
  fields.put(header.file_bytes);
  fields.put(header.checksum_of_checksums);
  fields.put(static_cast<std::uint64_t>(header.sections.size()));
  for (const Section& section : header.sections) {
    fields.put(static_cast<std::uint64_t>(section.kind));
    fields.put(section.offset);
    fields.put(section.bytes);
  }
  const std::uint64_t sum = checksum({bytes.data(), checksum_at});
  std::memcpy(bytes.data() + checksum_at, &sum, sizeof sum);
  return bytes;
}

RowsHeader decode_rows_header(std::string_view start, std::uint64_t file_bytes,
                              std::string_view file) {
  const Place place{.file = file};
  if (!start.starts_with(rows_magic)) refuse(place, "is no file of rows");
  constexpr std::size_t numbers = rows_magic.size() + 2 * sizeof(std::uint32_t);
  if (start.size() < numbers) refuse(place, "is cut short; convert it again");
  std::array<char, rows_header_bytes> bytes{};
  start.copy(bytes.data(), bytes.size());
  Fields fields(bytes.data() + rows_magic.size());
  const auto version = fields.take<std::uint32_t>();
  const auto order = fields.take<std::uint32_t>();
  if (order != byte_order) {
    refuse(place, order == 0x04030201 ? "was written by a machine of the other byte order"
                                      : "is damaged in its header; convert it again");
  }
  if (version > rows_version) {
    refuse(place, fmt::format("has version {}, and this program reads files of rows up to version "
                              "{}; convert it again, or use a newer program",
                              version, rows_version));
  }
  if (start.size() < rows_header_bytes) refuse(place, "is cut short; convert it again");
  std::uint64_t sum = 0;
  std::memcpy(&sum, bytes.data() + checksum_at, sizeof sum);
  if (version == 0 || sum != checksum({bytes.data(), checksum_at})) {
    refuse(place, "is damaged in its header; convert it again");
  }

  RowsHeader header;
  header.rows = fields.take<std::uint64_t>();
  header.columns = fields.take<std::uint64_t>();
  header.stored = fields.take<std::uint64_t>();
  const auto form = fields.take<std::uint32_t>();
  header.dense = form == 0;
  header.value_bytes = fields.take<std::uint32_t>();
  header.block_bytes = fields.take<std::uint64_t>();
  header.file_bytes = fields.take<std::uint64_t>();
  header.checksum_of_checksums = fields.take<std::uint64_t>();
  const auto sections = fields.take<std::uint64_t>();
  const HeaderCheck check(header, file);
  check.require(form <= 1 && sections > 0 && sections < section_kinds, "has an unknown form");
  static_assert(table_at == rows_magic.size() + 2 * 4 + 3 * 8 + 2 * 4 + 4 * 8);
  static_assert(table_at + section_kinds * entry_bytes <= checksum_at);
  for (std::uint64_t k = 0; k < sections; ++k) {
    const auto kind = fields.take<std::uint64_t>();
    check.require(
        kind > 0 && kind < section_kinds && header.find(static_cast<SectionKind>(kind)) == nullptr,
        "has an unknown section");
    const auto offset = fields.take<std::uint64_t>();
    const auto size = fields.take<std::uint64_t>();
    header.sections.push_back(
        {.kind = static_cast<SectionKind>(kind), .offset = offset, .bytes = size});
  }
  if (file_bytes != header.file_bytes) {
    refuse(place, fmt::format("has {} bytes where its header says {}: it {}; convert it again",
                              file_bytes, header.file_bytes,
                              file_bytes < header.file_bytes ? "is cut short" : "was added to"));
  }
  check.counts();
  check.places();
  check.sizes();
  return header;
}

}  // namespace rampart
