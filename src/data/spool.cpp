#include "data/spool.hpp"

#define XXH_INLINE_ALL  // no library at run time
#include <xxhash.h>

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <new>
#include <system_error>
#include <utility>

#include "data/file_aside.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw OutputError(path + ": " + std::generic_category().message(error));
}

int open_unnamed(const std::string& output) {
  const int unnamed = ::open(folder_of(output).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) return unnamed;
  // Some file systems have no files without a name.
  const FileAside aside = make_file_aside(output);
  if (aside.descriptor < 0) fail(output, errno);
  ::unlink(aside.path.c_str());
  return aside.descriptor;
}

}  // namespace

struct BlockSums::State {
  explicit State(std::uint64_t size) : block_bytes(size), hash(XXH3_createState()) {
    if (hash == nullptr) throw std::bad_alloc();
    XXH3_64bits_reset(hash);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { XXH3_freeState(hash); }

  void end_block() {
    sums.push_back(XXH3_64bits_digest(hash));
    XXH3_64bits_reset(hash);
    in_block = 0;
  }

  std::uint64_t block_bytes;
  std::uint64_t in_block = 0;
  std::vector<std::uint64_t> sums;
  XXH3_state_t* hash;
};

BlockSums::BlockSums(std::uint64_t block_bytes) : state_(std::make_unique<State>(block_bytes)) {}
BlockSums::~BlockSums() = default;
BlockSums::BlockSums(BlockSums&&) noexcept = default;
BlockSums& BlockSums::operator=(BlockSums&&) noexcept = default;

void BlockSums::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto part = bytes.substr(0, state_->block_bytes - state_->in_block);
    XXH3_64bits_update(state_->hash, part.data(), part.size());
    state_->in_block += part.size();
    bytes.remove_prefix(part.size());
    if (state_->in_block == state_->block_bytes) state_->end_block();
  }
}

std::vector<std::uint64_t> BlockSums::finish() {
  if (state_->in_block > 0) state_->end_block();
  return std::exchange(state_->sums, {});
}

Spool::Spool(const std::string& output) : output_(output) {}

Spool::~Spool() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Spool::Spool(Spool&& other) noexcept
    : output_(std::move(other.output_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      written_(other.written_),
      buffer_(std::move(other.buffer_)) {}

void Spool::add(std::string_view bytes) {
  while (!bytes.empty()) {
    const auto part = bytes.substr(0, part_bytes - buffer_.size());
    buffer_ += part;
    bytes.remove_prefix(part.size());
    if (buffer_.size() == part_bytes) write_buffer();
  }
}

void Spool::write_buffer() {
  if (descriptor_ < 0) descriptor_ = open_unnamed(output_);
  std::string_view rest = buffer_;
  while (!rest.empty()) {
    const ssize_t count =
        ::pwrite(descriptor_, rest.data(), rest.size(), static_cast<off_t>(written_));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(output_, errno);
    rest.remove_prefix(static_cast<std::size_t>(count));
    written_ += static_cast<std::uint64_t>(count);
  }
  buffer_.clear();
}

void Spool::read_at(std::uint64_t offset, std::span<char> bytes) {
  while (!bytes.empty()) {
    if (offset >= written_) {
      buffer_.copy(bytes.data(), bytes.size(), static_cast<std::size_t>(offset - written_));
      return;
    }
    const auto count =
        ::pread(descriptor_, bytes.data(),
                static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), written_ - offset)),
                static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) fail(output_, count < 0 ? errno : EIO);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
}

}  // namespace rampart
