// Files of rows: any bytes give an InputError or a data set, never a crash or an endless
// allocation.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "data/rows_format.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "rampart/rows_file.hpp"

namespace {

// With the right checksums: a fuzzer would never find them.
std::string with_checksums(std::string bytes) {
  using namespace rampart;
  if (bytes.size() < rows_header_bytes) return bytes;
  constexpr std::size_t place = rows_header_bytes - sizeof(std::uint64_t);
  const auto seal_header = [&] {
    const std::uint64_t sum = checksum(std::string_view(bytes).substr(0, place));
    std::memcpy(bytes.data() + place, &sum, sizeof sum);
  };
  seal_header();
  RowsHeader header;
  try {
    header = decode_rows_header(bytes, bytes.size(), "");
  } catch (const InputError&) {
    return bytes;
  }
  std::vector<std::uint64_t> sums;
  for (const Section& section : header.sections) {
    if (section.kind == SectionKind::checksums) continue;
    for (std::uint64_t at = 0; at < section.bytes; at += header.block_bytes) {
      sums.push_back(checksum(std::string_view(bytes).substr(
          section.offset + at, std::min(header.block_bytes, section.bytes - at))));
    }
  }
  const std::string_view table(reinterpret_cast<const char*>(sums.data()), sums.size() * 8);
  table.copy(bytes.data() + header.find(SectionKind::checksums)->offset, table.size());
  header.checksum_of_checksums = checksum(table);
  const auto sealed = encode(header);
  std::copy(sealed.begin(), sealed.end(), bytes.begin());
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes = with_checksums(std::string(reinterpret_cast<const char*>(data), size));
  const int file = ::memfd_create("rows", 0);
  if (file < 0 || ::write(file, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    std::abort();
  }
  try {
    const rampart::MappedDataset mapped("/proc/self/fd/" + std::to_string(file));
    const rampart::Problem problem = mapped.problem();
    // What has been accepted can be read to the end.
    static_cast<void>(problem.x.to_rows());
  } catch (const rampart::InputError&) {
  }
  ::close(file);
  return 0;
}
