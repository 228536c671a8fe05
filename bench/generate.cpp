// bench_generate dense ROWS FEATURES NOISE SEED: LIBSVM text on standard output. Normal features of
// deviation 2/√FEATURES, labels by the sign of a linear score of deviation 1 with noise of
// deviation NOISE, a tenth of them flipped. ROWS of any number begin with the same rows.
// bench_generate sparse ROWS FEATURES STORED SEED: the same for rows like documents. The logarithm
// of a feature's number is uniform, so that few are frequent and most are rare; rows have about
// STORED values, which grow with rarity, and length 1; 12 % of the labels are flipped.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace {

/// SplitMix64: the same numbers everywhere, which the standard's distributions do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  double uniform() {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
  }
  double normal() {
    const double radius = std::sqrt(-2 * std::log(1 - uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }

 private:
  std::uint64_t state_;
};

/// A line of LIBSVM text after the other.
class Lines {
 public:
  void label(bool positive) { text_ += positive ? "+1" : "-1"; }
  void value(std::size_t j, double value) {
    std::array<char, 64> word;
    char* end = word.data();
    *end++ = ' ';
    end = std::to_chars(end, word.data() + word.size(), j + 1).ptr;
    *end++ = ':';
    end = std::to_chars(end, word.data() + word.size(), value, std::chars_format::general, 6).ptr;
    text_.append(word.data(), end);
  }
  void end() {
    text_ += '\n';
    if (text_.size() > 1U << 20U) flush();
  }
  void flush() {
    if (std::fwrite(text_.data(), 1, text_.size(), stdout) != text_.size() ||
        std::fflush(stdout) != 0) {
      std::perror("bench_generate: standard output");
      std::exit(1);
    }
    text_.clear();
  }

 private:
  std::string text_;
};

void dense(std::size_t rows, std::size_t features, double noise, std::uint64_t seed) {
  Random shape(1234 + features);  // the score depends on the number of features only
  std::vector<double> w(features);
  for (double& one : w) one = shape.normal() / 2;
  const double deviation = 2 / std::sqrt(static_cast<double>(features));
  Random random(seed);
  Lines lines;
  std::vector<double> x(features);
  for (std::size_t n = 0; n < rows; ++n) {
    double score = noise * random.normal();
    for (std::size_t j = 0; j < features; ++j) {
      score += w[j] * (x[j] = deviation * random.normal());
    }
    lines.label((score > 0) != (random.uniform() < 0.1));
    for (std::size_t j = 0; j < features; ++j) lines.value(j, x[j]);
    lines.end();
  }
  lines.flush();
}

void sparse(std::size_t rows, std::size_t features, std::size_t stored, std::uint64_t seed) {
  Random shape(1234 + features);
  std::vector<double> w(features);
  for (double& one : w) one = shape.normal();
  const auto rarity = [](std::size_t j) { return 0.3 + 0.1 * std::log1p(static_cast<double>(j)); };
  const double range = std::log(static_cast<double>(features) + 1);
  Random random(seed);
  Lines lines;
  std::vector<std::size_t> row;
  for (std::size_t n = 0; n < rows; ++n) {
    row.resize(stored / 2 +
               static_cast<std::size_t>(random.uniform() * static_cast<double>(stored + 1)));
    for (std::size_t& j : row) {
      j = std::min(features - 1, static_cast<std::size_t>(std::expm1(range * random.uniform())));
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    double score = 0;
    double square = 0;
    for (const std::size_t j : row) {
      score += w[j] * rarity(j);
      square += rarity(j) * rarity(j);
    }
    lines.label((score > 0) != (random.uniform() < 0.12));
    for (const std::size_t j : row) lines.value(j, rarity(j) / std::sqrt(square));
    lines.end();
  }
  lines.flush();
}

std::size_t number(const char* word) { return std::strtoull(word, nullptr, 10); }

}  // namespace

int main(int count, char** words) {
  if (count == 6 && std::strcmp(words[1], "dense") == 0 && number(words[3]) > 0) {
    dense(number(words[2]), number(words[3]), std::strtod(words[4], nullptr), number(words[5]));
  } else if (count == 6 && std::strcmp(words[1], "sparse") == 0 && number(words[3]) > 0) {
    sparse(number(words[2]), number(words[3]), number(words[4]), number(words[5]));
  } else {
    std::fputs(
        "usage: bench_generate dense ROWS FEATURES NOISE SEED\n"
        "       bench_generate sparse ROWS FEATURES STORED SEED\n",
        stderr);
    return 2;
  }
}
