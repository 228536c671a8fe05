#include "model/fingerprint.hpp"

#define XXH_INLINE_ALL  // no library at run time
#include <xxhash.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

namespace rampart {
namespace {

constexpr std::size_t most_hashes = 1024;

/// Hashes rows one at a time. Zeros do not count, so that sparse rows and dense ones agree.
class RowHash {
 public:
  explicit RowHash(const Problem& data) : data_(data) {
    for (const std::vector<std::string>& names : data.categories) {
      std::vector<std::uint64_t>& hashes = categories_.emplace_back();
      for (const std::string& name : names) hashes.push_back(XXH3_64bits(name.data(), name.size()));
    }
  }

  [[nodiscard]] std::uint64_t of(std::size_t n) {
    words_.assign(1, data_.y[n] > 0 ? 1 : 0);
    if (!data_.ids.empty()) {  // cases of another id are other cases, whatever their values
      words_.push_back(XXH3_64bits(data_.ids[n].data(), data_.ids[n].size()));
    }
    data_.x.for_each(n, [&](std::size_t j, double value) {
      const bool categorical = !categories_.empty() && !categories_[j].empty();
      if (value == 0 && !categorical) return;
      words_.push_back(j);
      words_.push_back(categorical ? category(j, value) : number(value));
    });
    return XXH3_64bits(words_.data(), words_.size() * sizeof(std::uint64_t));
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
  std::vector<std::uint64_t> words_;
};

}  // namespace

Fingerprint fingerprint_of(const Problem& data) {
  Fingerprint fingerprint{.rows = data.size()};
  RowHash hash(data);
  std::vector<std::uint64_t>& least = fingerprint.hashes;
  const auto keep_least = [&] {
    std::ranges::sort(least);
    const auto [first, last] = std::ranges::unique(least);
    least.erase(first, last);
    if (least.size() > most_hashes) least.resize(most_hashes);
  };
  for (std::size_t n = 0; n < data.size(); ++n) {
    least.push_back(hash.of(n));
    if (least.size() >= 8 * most_hashes) keep_least();
  }
  keep_least();
  return fingerprint;
}

Overlap overlap(const Fingerprint& trained, const Problem& data) {
  Overlap found;
  if (trained.hashes.empty()) return {.rows = 0, .trained = 0, .all = false};
  found.all = trained.hashes.size() < most_hashes;  // then it holds every row
  RowHash hash(data);
  for (std::size_t n = 0; n < data.size(); ++n) {
    const std::uint64_t one = hash.of(n);
    if (!found.all && one > trained.hashes.back()) continue;
    ++found.rows;
    found.trained += std::ranges::binary_search(trained.hashes, one) ? 1 : 0;
  }
  return found;
}

}  // namespace rampart
