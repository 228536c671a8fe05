#include "data/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <algorithm>
#include <cerrno>
#include <system_error>
#include <variant>
#include <vector>

#include "data/place.hpp"
#include "data/unpack_ahead.hpp"

namespace rampart {
namespace {

constexpr std::size_t chunk_of_a_file = 1 << 16;
constexpr std::uint64_t unpacking_memory = std::uint64_t{256} << 20;
constexpr std::uint64_t unpacked_at_any_ratio = std::uint64_t{256} << 20;
constexpr std::string_view gzip_magic = "\x1f\x8b";
constexpr std::string_view xz_magic{
    "\xfd"
    "7zXZ\0",
    6};

// An open file that closes itself; standard input stays open.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ > STDIN_FILENO) ::close(number_);
  }
  [[nodiscard]] int number() const noexcept { return number_; }

 private:
  int number_;
};

// The bytes as they are stored, some of them read ahead.
class RawBytes {
 public:
  RawBytes(std::string name, int descriptor, std::string_view memory, std::size_t chunk)
      : name_(std::move(name)), descriptor_(descriptor), memory_(memory), chunk_(chunk) {}

  // Makes at least `least` bytes ready, unless the file ends before.
  std::string_view ready(std::size_t least = 1) {
    while (end_ - begin_ < least && !ended_) {
      std::copy(buffer_.begin() + begin_, buffer_.begin() + end_, buffer_.begin());
      end_ -= begin_;
      begin_ = 0;
      buffer_.resize(end_ + chunk_);
      end_ += read_more({buffer_.data() + end_, chunk_});
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }

  // Copies what is ready; if nothing is, reads from the file into the caller's buffer.
  std::size_t take(std::span<char> into) {
    if (begin_ == end_ && !ended_) return read_more(into);
    const std::size_t count = ready().copy(into.data(), into.size());
    consume(count);
    return count;
  }

  void consume(std::size_t count) { begin_ += count; }
  [[nodiscard]] std::uint64_t bytes_read() const noexcept { return bytes_read_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  [[nodiscard]] bool is_file() const noexcept { return descriptor_.number() >= 0 && size() > 0; }

  // The size of the file; 0 if it is not known, as with a pipe.
  [[nodiscard]] std::uint64_t size() const noexcept {
    struct stat file {};
    if (descriptor_.number() < 0) return bytes_read_ + memory_.size();
    if (::fstat(descriptor_.number(), &file) != 0 || !S_ISREG(file.st_mode)) return 0;
    return static_cast<std::uint64_t>(file.st_size);
  }

 private:
  std::size_t read_more(std::span<char> into) {
    const std::size_t count = read(into);
    bytes_read_ += count;
    ended_ = count == 0;
    return count;
  }

  std::size_t read(std::span<char> into) {
    if (descriptor_.number() < 0) {
      const std::size_t count = memory_.copy(into.data(), std::min(into.size(), chunk_));
      memory_.remove_prefix(count);
      return count;
    }
    for (;;) {
      const ssize_t count = ::read(descriptor_.number(), into.data(), into.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR) refuse({name_}, std::generic_category().message(errno));
    }
  }

  std::string name_;
  Descriptor descriptor_;  // -1: memory
  std::string_view memory_;
  std::size_t chunk_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0;  // of what is ready in the buffer
  std::size_t end_ = 0;
  std::uint64_t bytes_read_ = 0;
  bool ended_ = false;
};

class Plain {
 public:
  std::size_t read(RawBytes& raw, std::span<char> into) { return raw.take(into); }
};

// gzip: any number of members one after the other, as gzip itself reads them; then perhaps zeros,
// which tapes and block devices leave behind.
class Gzip {
 public:
  Gzip() {
    // 16 asks for the gzip wrapper, 15 allows every window size.
    if (::inflateInit2(&stream_, 15 + 16) != Z_OK) throw std::bad_alloc();
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() { ::inflateEnd(&stream_); }

  std::size_t read(RawBytes& raw, std::span<char> into) {
    stream_.next_out = reinterpret_cast<Bytef*>(into.data());
    stream_.avail_out = static_cast<uInt>(std::min(into.size(), chunk_of_a_file));
    const uInt room = stream_.avail_out;
    while (stream_.avail_out == room && !finished_) step(raw);
    return room - stream_.avail_out;
  }

 private:
  void step(RawBytes& raw) {
    const std::string_view packed = raw.ready();
    if (packed.empty()) refuse({raw.name()}, "the gzip data end too early");
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
    const int status = ::inflate(&stream_, Z_NO_FLUSH);
    raw.consume(packed.size() - stream_.avail_in);
    if (status == Z_STREAM_END) return next_member(raw);
    if (status == Z_MEM_ERROR) throw std::bad_alloc();
    if (status != Z_OK && status != Z_BUF_ERROR) {
      refuse({raw.name()}, "the gzip data are damaged");
    }
  }

  void next_member(RawBytes& raw) {
    if (raw.ready(gzip_magic.size()).starts_with(gzip_magic)) {
      ::inflateReset(&stream_);
      return;
    }
    for (std::string_view rest = raw.ready(); !rest.empty(); rest = raw.ready()) {
      if (rest.find_first_not_of('\0') != std::string_view::npos) {
        refuse({raw.name()}, "something that is not gzip follows the gzip data");
      }
      raw.consume(rest.size());
    }
    finished_ = true;
  }

  z_stream stream_{};
  bool finished_ = false;
};

class Xz {
 public:
  Xz() {
    if (::lzma_stream_decoder(&stream_, unpacking_memory, LZMA_CONCATENATED) != LZMA_OK) {
      throw std::bad_alloc();
    }
  }
  Xz(const Xz&) = delete;
  Xz& operator=(const Xz&) = delete;
  ~Xz() { ::lzma_end(&stream_); }

  std::size_t read(RawBytes& raw, std::span<char> into) {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(into.data());
    stream_.avail_out = into.size();
    while (stream_.avail_out == into.size() && !finished_) step(raw);
    return into.size() - stream_.avail_out;
  }

 private:
  void step(RawBytes& raw) {
    const std::string_view packed = raw.ready();
    stream_.next_in = reinterpret_cast<const std::uint8_t*>(packed.data());
    stream_.avail_in = packed.size();
    const lzma_ret status = ::lzma_code(&stream_, packed.empty() ? LZMA_FINISH : LZMA_RUN);
    raw.consume(packed.size() - stream_.avail_in);
    switch (status) {
      case LZMA_OK:
        return;
      case LZMA_STREAM_END:
        finished_ = true;
        return;
      case LZMA_MEM_ERROR:
        throw std::bad_alloc();
      case LZMA_MEMLIMIT_ERROR:
        refuse({raw.name()}, "unpacking the xz data needs more than 256 MiB of memory");
      case LZMA_BUF_ERROR:
        refuse({raw.name()}, "the xz data end too early");
      case LZMA_OPTIONS_ERROR:
        refuse({raw.name()}, "the xz data use a filter that is not supported");
      default:
        refuse({raw.name()}, "the xz data are damaged");
    }
  }

  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool finished_ = false;
};

}  // namespace

struct ByteSource::State {
  State(std::string name, int descriptor, std::string_view memory, std::size_t chunk,
        const ReadLimits& limits)
      : raw(std::move(name), descriptor, memory, chunk), most_ratio(limits.unpacking_ratio) {
    const std::string_view first = raw.ready(xz_magic.size());
    if (first.starts_with(gzip_magic)) packing.emplace<Gzip>();
    if (first.starts_with(xz_magic)) packing.emplace<Xz>();
    size = raw.size();
    bytes_read = raw.bytes_read();
  }

  std::size_t read(std::span<char> buffer) {
    if (ahead) {
      const auto [count, packed] = ahead->take(buffer);
      bytes_read = packed;
      return count;
    }
    const std::size_t count = unpack(buffer);
    bytes_read = raw.bytes_read();
    return count;
  }

  void unpack_ahead() {
    if (!is_packed() || !raw.is_file() || ahead) return;
    try {
      ahead = std::make_unique<UnpackAhead>([this](std::vector<char>& bytes) {
        bytes.resize(unpack(bytes));
        return raw.bytes_read();
      });
    } catch (const std::system_error&) {
      // The system gives no thread: read() unpacks.
    }
  }

  // Called by the thread, if there is one.
  std::size_t unpack(std::span<char> buffer) {
    const std::size_t count =
        std::visit([&](auto& unpacker) { return unpacker.read(raw, buffer); }, packing);
    given += count;
    if (is_packed() && given > unpacked_at_any_ratio &&
        static_cast<double>(given) > most_ratio * static_cast<double>(raw.bytes_read())) {
      refuse({raw.name()},
             fmt::format(
                 "unpacks to more than {} times its size; a larger limit reads it all the same",
                 most_ratio),
             Setting::unpacking_limit);
    }
    return count;
  }

  [[nodiscard]] bool is_packed() const noexcept { return !std::holds_alternative<Plain>(packing); }

  [[nodiscard]] std::optional<double> share_given(std::size_t unused) const noexcept {
    // Bytes that are read ahead have not been unpacked yet. How many is not known: a chunk at most,
    // which is little against this.
    constexpr std::uint64_t enough_to_estimate = 32 * chunk_of_a_file;
    if (is_packed() && bytes_read < enough_to_estimate) return std::nullopt;
    const std::uint64_t not_given = unused + (is_packed() ? chunk_of_a_file : 0);
    if (bytes_read <= not_given || bytes_read - not_given > size) return std::nullopt;
    return static_cast<double>(bytes_read - not_given) / static_cast<double>(size);
  }

  RawBytes raw;
  std::variant<Plain, Gzip, Xz> packing;
  double most_ratio;
  std::uint64_t given = 0;             // bytes, unpacked
  std::uint64_t size = 0;              // of the file; 0: not known
  std::uint64_t bytes_read = 0;        // of the file, for what read() has given
  std::unique_ptr<UnpackAhead> ahead;  // ends before the rest, which its thread uses
};

ByteSource ByteSource::file(const std::string& path, const ReadLimits& limits) {
  if (path == "-") {
    return ByteSource(std::make_unique<State>("standard input", STDIN_FILENO, std::string_view(),
                                              chunk_of_a_file, limits));
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) refuse({path}, std::generic_category().message(errno));
  return ByteSource(
      std::make_unique<State>(path, descriptor, std::string_view(), chunk_of_a_file, limits));
}

ByteSource ByteSource::memory(std::string_view text, const std::string& name, std::size_t chunk,
                              const ReadLimits& limits) {
  return ByteSource(std::make_unique<State>(name, -1, text, chunk, limits));
}

ByteSource::ByteSource(std::unique_ptr<State> state) : state_(std::move(state)) {}
ByteSource::~ByteSource() = default;
ByteSource::ByteSource(ByteSource&&) noexcept = default;
ByteSource& ByteSource::operator=(ByteSource&&) noexcept = default;

void ByteSource::unpack_ahead() { state_->unpack_ahead(); }

std::size_t ByteSource::read(std::span<char> buffer) { return state_->read(buffer); }

const std::string& ByteSource::name() const noexcept { return state_->raw.name(); }

std::uint64_t ByteSource::bytes_read() const noexcept { return state_->bytes_read; }

std::uint64_t ByteSource::size_hint() const noexcept {
  return state_->is_packed() ? 0 : state_->size;
}

std::optional<double> ByteSource::share_given(std::size_t unused) const noexcept {
  return state_->share_given(unused);
}

}  // namespace rampart
