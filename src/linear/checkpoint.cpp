#include "linear/checkpoint.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

#include "data/output_file.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

constexpr std::string_view magic = "RAMPCHK3";

/// Numbers one after the other, as bytes.
class Writer {
 public:
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void add(const T& value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof value); }
  template <class T>
  void add(const std::vector<T>& values) {
    add(std::uint64_t{values.size()});
    bytes_.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  }
  [[nodiscard]] std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// Reads them back. `ok` is false from the first number on that is not there.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  requires std::is_trivially_copyable_v<T>
  void get(T& value) {
    if (bytes_.size() < sizeof value) {
      ok_ = false;
      return;
    }
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
  }
  template <class T>
  void get(std::vector<T>& values) {
    std::uint64_t size = 0;
    get(size);
    if (!ok_ || size > bytes_.size() / sizeof(T)) {
      ok_ = false;
      return;
    }
    values.resize(size);
    if (size > 0) std::memcpy(values.data(), bytes_.data(), size * sizeof(T));
    bytes_.remove_prefix(size * sizeof(T));
  }
  [[nodiscard]] bool ended_well() const { return ok_ && bytes_.empty(); }

 private:
  std::string_view bytes_;
  bool ok_ = true;
};

/// The rounds as numbers without gaps between them, and a truth value as one of them.
struct StoredRound {
  double objective, violation;
  std::uint64_t passes, flat, swapped;
};
std::vector<StoredRound> stored(const std::vector<LinearRound>& history) {
  std::vector<StoredRound> rounds;
  for (const LinearRound& one : history) {
    rounds.push_back({one.objective, one.violation, one.passes, one.flat, one.swapped ? 1U : 0U});
  }
  return rounds;
}
std::vector<LinearRound> restored(const std::vector<StoredRound>& rounds) {
  std::vector<LinearRound> history;
  for (const StoredRound& one : rounds) {
    history.push_back({.objective = one.objective,
                       .passes = one.passes,
                       .violation = one.violation,
                       .flat = one.flat,
                       .swapped = one.swapped != 0});
  }
  return history;
}

/// Visits every other field of the state, in one order for writing and reading.
template <class State, class Field>
void visit_fields(State& state, const Field& field) {
  field(state.now.w);
  field(state.now.offsets);
  field(state.best.w);
  field(state.best.offsets);
  field(state.result.objective);
  field(state.result.bound);
  field(state.result.violation);
  field(state.result.support);
  field(state.result.passes);
  field(state.width);
  field(state.accuracy);
  field(state.damping);
  field(state.reach);
  field(state.most_reach);
  field(state.near_visits);
  field(state.pause);
  field(state.paused);
  field(state.outer_steps);
  field(state.passes_of_rounds);
}

std::uint64_t checksum(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

[[noreturn]] void refuse(const std::string& path, std::string_view what) {
  throw InputError(fmt::format("{}: {}", path, what));
}

}  // namespace

std::uint64_t problem_number(const BlockRows& rows, const HingeForm& loss,
                             std::span<const double> lambda, const LinearOptions& options,
                             std::span<const double> start_scores,
                             std::span<const double> start_offsets) {
  constexpr std::size_t most_rows = 1000;
  Writer facts;
  for (const std::span<const double> numbers : {lambda, start_scores, start_offsets}) {
    facts.add(std::uint64_t{XXH3_64bits(numbers.data(), numbers.size_bytes())});
  }
  facts.add(std::uint64_t{rows.x.size()});
  facts.add(std::uint64_t{rows.columns()});
  facts.add(loss.floor);
  for (const Hinge& hinge : loss.hinges) {
    for (const double value : {hinge.margin, hinge.positive, hinge.negative}) facts.add(value);
    facts.add(std::uint64_t{hinge.offset});
  }
  facts.add(options.gap);
  facts.add(std::uint64_t{options.max_rounds});
  facts.add(options.exact_rounds);
  facts.add(std::uint64_t{XXH3_64bits(rows.y.data(), rows.y.size())});
  facts.add(std::uint64_t{XXH3_64bits(rows.weights.data(), rows.weights.size() * sizeof(double))});
  // All rows as they are; features are made of some of them only, because that takes long.
  std::uint64_t of_rows = 0;
  std::vector<double> numbers;
  for (std::size_t n = 0; n < rows.x.size(); ++n) {
    numbers.clear();
    rows.x.for_each(n, [&](std::size_t j, double value) {
      numbers.insert(numbers.end(), {static_cast<double>(j), value});
    });
    of_rows = XXH3_64bits_withSeed(numbers.data(), numbers.size() * sizeof(double), of_rows);
  }
  facts.add(of_rows);
  if (rows.map == nullptr) return checksum(facts.bytes());
  const std::size_t step = std::max<std::size_t>(1, rows.x.size() / most_rows);
  for (std::size_t n = 0; n < rows.x.size(); n += step) {
    const MappedBlock row(rows.map, rows.x.range(n, n + 1));
    row.view().for_each(0, [&](std::size_t j, double value) {
      facts.add(std::uint64_t{j});
      facts.add(value);
    });
  }
  return checksum(facts.bytes());
}

void write_checkpoint(const std::string& path, std::uint64_t problem, const LinearState& state,
                      std::span<const float> centres) {
  Writer head;
  head.add(problem);
  visit_fields(state, [&](const auto& value) { head.add(value); });
  head.add(std::uint64_t{state.settled ? 1U : 0U});
  head.add(std::uint64_t{state.near ? 1U : 0U});
  head.add(stored(state.result.history));
  head.add(std::uint64_t{centres.size()});
  const std::string_view rest(reinterpret_cast<const char*>(centres.data()), centres.size_bytes());
  Writer sums;
  sums.add(checksum(head.bytes()) ^ checksum(rest));
  OutputFile file(path);
  file.write(magic);
  file.write(sums.bytes());
  file.write(head.bytes());
  file.write(rest);
  file.commit();
}

std::optional<Checkpoint> read_checkpoint(const std::string& path, std::uint64_t problem,
                                          std::size_t columns, std::size_t centres) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  if (!std::filesystem::is_regular_file(path)) refuse(path, "is not a file");
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, "cannot be read");
  const std::string all(std::istreambuf_iterator<char>(file), {});
  constexpr std::string_view advice = "; remove it to begin anew";
  if (!all.starts_with(magic)) refuse(path, fmt::format("is no checkpoint{}", advice));
  Reader reader(std::string_view(all).substr(magic.size()));
  std::uint64_t sum = 0;
  std::uint64_t of = 0;
  Checkpoint found;
  reader.get(sum);
  reader.get(of);
  visit_fields(found.state, [&](auto& value) { reader.get(value); });
  std::uint64_t settled = 0;
  std::uint64_t near = 0;
  std::vector<StoredRound> rounds;
  reader.get(settled);
  reader.get(near);
  reader.get(rounds);
  found.state.settled = settled != 0;
  found.state.near = near != 0;
  found.state.result.history = restored(rounds);
  reader.get(found.centres);
  const std::string_view rest(reinterpret_cast<const char*>(found.centres.data()),
                              found.centres.size() * sizeof(float));
  const std::size_t begin = magic.size() + sizeof sum;
  const bool whole =
      reader.ended_well() &&
      sum == (checksum(std::string_view(all).substr(begin, all.size() - begin - rest.size())) ^
              checksum(rest));
  if (!whole) refuse(path, fmt::format("is damaged{}", advice));
  const LinearPoint& best = found.state.best;
  const bool has_its_sizes =
      found.state.now.w.size() == columns && found.centres.size() == centres &&
      (best.w.empty() || (best.w.size() == columns && !found.state.result.history.empty()));
  if (of != problem || !has_its_sizes) {
    refuse(path, "is the checkpoint of another training: remove it, or name another file");
  }
  return found;
}

}  // namespace rampart
