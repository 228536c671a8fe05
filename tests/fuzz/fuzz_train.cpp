// Whatever the data and the options, training is refused or tells the truth about its model: see
// tests/stress/invariants.hpp. The bytes are taken as the choices that make them up.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "stress/any_training.hpp"

namespace {

/// As many bytes for each choice as it needs; zeros when there are no more.
class Bytes {
 public:
  Bytes(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  std::uint64_t operator()(std::uint64_t below) {
    std::uint64_t value = 0;
    for (std::uint64_t reach = 1; reach < below; reach *= 256) {
      if (left_.empty()) return 0;
      value = value * 256 + left_.front();
      left_ = left_.subspan(1);
    }
    return value % below;
  }

 private:
  std::span<const std::uint8_t> left_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::size_t most_rows = 12;
  Bytes bytes(data, size);
  const auto outcome = rampart::stress::examine(rampart::stress::any_training(bytes, most_rows));
  for (const std::string& fault : outcome.faults) std::fprintf(stderr, "%s\n", fault.c_str());
  if (!outcome.faults.empty()) std::abort();
  return 0;
}
