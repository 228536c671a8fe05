#include "util/instruction_set.hpp"

#include <atomic>

namespace rampart {
namespace {

bool has(InstructionSet set) {
#if defined(__x86_64__) || defined(__i386__)
  // What Highway's targets of these names take for granted.
  __builtin_cpu_init();
  const bool sse4 = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul") &&
                    __builtin_cpu_supports("aes");
  const bool avx2 = sse4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2");
  const bool avx512 = avx2 && __builtin_cpu_supports("avx512f") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd");
  switch (set) {
    case InstructionSet::avx512:
      return avx512;
    case InstructionSet::avx2:
      return avx2;
    case InstructionSet::sse4:
      return sse4;
    case InstructionSet::baseline:
      break;
  }
#endif
  return set == InstructionSet::baseline;
}

InstructionSet widest() {
  for (const auto set : {InstructionSet::avx512, InstructionSet::avx2, InstructionSet::sse4}) {
    if (has(set)) return set;
  }
  return InstructionSet::baseline;
}

std::atomic<InstructionSet>& chosen() {
  static std::atomic<InstructionSet> set{widest()};
  return set;
}

}  // namespace

std::string_view to_string(InstructionSet set) {
  switch (set) {
    case InstructionSet::avx512:
      return "AVX-512";
    case InstructionSet::avx2:
      return "AVX2";
    case InstructionSet::sse4:
      return "SSE4";
    case InstructionSet::baseline:
      break;
  }
  return "baseline";
}

InstructionSet instruction_set() noexcept { return chosen().load(std::memory_order_relaxed); }

std::vector<InstructionSet> available_instruction_sets() {
  std::vector<InstructionSet> sets;
  for (const auto set : {InstructionSet::baseline, InstructionSet::sse4, InstructionSet::avx2,
                         InstructionSet::avx512}) {
    if (has(set)) sets.push_back(set);
  }
  return sets;
}

void force_instruction_set(std::optional<InstructionSet> set) {
  chosen().store(set.value_or(widest()), std::memory_order_relaxed);
}

}  // namespace rampart
