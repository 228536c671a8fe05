#include "model/fingerprint.hpp"

#define XXH_INLINE_ALL  // no library at run time
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "util/parallel.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_hashes = 1024;
constexpr std::size_t rows_per_task = 4096;

/// Hashes rows one at a time. Zeros do not count, so that sparse rows and dense ones agree.
class RowHash {
 public:
  explicit RowHash(const Problem& data) : data_(data) {
    for (const std::vector<std::string>& names : data.categories) {
      std::vector<std::uint64_t>& hashes = categories_.emplace_back();
      for (const std::string& name : names) hashes.push_back(XXH3_64bits(name.data(), name.size()));
    }
  }

  /// `words` is room to work in, kept between calls.
  [[nodiscard]] std::uint64_t of(std::size_t n, std::vector<std::uint64_t>& words) const {
    words.resize(std::max(words.size(), 2 + 2 * data_.x.stored_values(n)));
    std::uint64_t* next = words.data();
    *next++ = data_.y[n] > 0 ? 1 : 0;
    if (!data_.ids.empty()) {  // cases of another id are other cases, whatever their values
      *next++ = XXH3_64bits(data_.ids[n].data(), data_.ids[n].size());
    }
    if (categories_.empty()) {
      data_.x.for_each(n, [&](std::size_t j, double value) {
        next[0] = j;
        next[1] = number(value);
        next += value == 0 ? 0 : 2;
      });
    } else {
      data_.x.for_each(n, [&](std::size_t j, double value) {
        const bool categorical = !categories_[j].empty();
        if (value == 0 && !categorical) return;
        *next++ = j;
        *next++ = categorical ? category(j, value) : number(value);
      });
    }
    const auto count = static_cast<std::size_t>(next - words.data());
    return XXH3_64bits(words.data(), count * sizeof(std::uint64_t));
  }

 private:
  static std::uint64_t number(double value) {
    return std::isnan(value) ? ~std::uint64_t{0} : std::bit_cast<std::uint64_t>(value);
  }
  [[nodiscard]] std::uint64_t category(std::size_t column, double code) const {
    const bool known = code >= 0 && code < static_cast<double>(categories_[column].size());
    return known ? categories_[column][static_cast<std::size_t>(code)] : number(code);
  }

  const Problem& data_;
  std::vector<std::vector<std::uint64_t>> categories_;
};

/// The least of the hashes that it is given, each once, at most `most_hashes` of them, whatever
/// order they come in.
class LeastHashes {
 public:
  void add(std::uint64_t hash) {
    if (bound_ && hash >= *bound_) return;
    hashes_.push_back(hash);
    if (hashes_.size() >= 8 * most_hashes) keep_least();
  }

  [[nodiscard]] std::vector<std::uint64_t> take() {
    keep_least();
    return std::move(hashes_);
  }

 private:
  void keep_least() {
    std::ranges::sort(hashes_);
    const auto [first, last] = std::ranges::unique(hashes_);
    hashes_.erase(first, last);
    if (hashes_.size() < most_hashes) return;
    hashes_.resize(most_hashes);
    bound_ = hashes_.back();
  }

  std::vector<std::uint64_t> hashes_;
  std::optional<std::uint64_t> bound_;  // once there are enough: hashes from here on are too large
};

}  // namespace

struct FingerprintReader::State {
  RowHash hash;
  std::size_t rows;
  std::mutex guard;
  LeastHashes least;  // guarded
};

FingerprintReader::FingerprintReader(const Problem& data)
    : state_(new State{.hash = RowHash(data), .rows = data.size()}) {}
FingerprintReader::~FingerprintReader() = default;

void FingerprintReader::add(std::size_t begin, std::size_t end) {
  std::vector<std::uint64_t> words, hashes;
  for (std::size_t n = begin; n < end; ++n) hashes.push_back(state_->hash.of(n, words));
  const std::lock_guard lock(state_->guard);
  for (const std::uint64_t hash : hashes) state_->least.add(hash);
}

Fingerprint FingerprintReader::take() {
  return {.rows = state_->rows, .hashes = state_->least.take()};
}

Fingerprint fingerprint_of(const Problem& data, unsigned threads) {
  FingerprintReader reader(data);
  parallel_blocks(data.size(), rows_per_task, threads,
                  [&](std::size_t begin, std::size_t end) { reader.add(begin, end); });
  return reader.take();
}

Overlap overlap(const Fingerprint& trained, const Problem& data) {
  Overlap found;
  if (trained.hashes.empty()) return {.rows = 0, .trained = 0, .all = false};
  found.all = trained.hashes.size() < most_hashes;  // then it holds every row
  const RowHash hash(data);
  std::vector<std::uint64_t> words;
  for (std::size_t n = 0; n < data.size(); ++n) {
    const std::uint64_t one = hash.of(n, words);
    if (!found.all && one > trained.hashes.back()) continue;
    ++found.rows;
    found.trained += std::ranges::binary_search(trained.hashes, one) ? 1 : 0;
  }
  return found;
}

}  // namespace rampart
