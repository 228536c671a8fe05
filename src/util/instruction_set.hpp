#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rampart {

/// The instruction sets that vector loops are compiled for, the widest last. On other machines than
/// x86 there is one, the compiler's.
enum class InstructionSet { baseline, sse4, avx2, avx512 };
[[nodiscard]] std::string_view to_string(InstructionSet set);

/// The widest of this machine, or the one that is forced.
[[nodiscard]] InstructionSet instruction_set() noexcept;

/// For tests: those of this machine, and to use one of them; nullopt: the widest again.
[[nodiscard]] std::vector<InstructionSet> available_instruction_sets();
void force_instruction_set(std::optional<InstructionSet> set);

/// Of a function's versions the one for this machine. A version that was not compiled is null; the
/// baseline always is.
template <class Function>
Function* version_for_this_machine(Function* avx512, Function* avx2, Function* sse4,
                                   Function* baseline) {
  const InstructionSet set = instruction_set();
  if (set >= InstructionSet::avx512 && avx512 != nullptr) return avx512;
  if (set >= InstructionSet::avx2 && avx2 != nullptr) return avx2;
  if (set >= InstructionSet::sse4 && sse4 != nullptr) return sse4;
  return baseline;
}

}  // namespace rampart

/// Calls the version of a function in rampart::HWY_NAMESPACE, in files that Highway compiles once
/// for every instruction set. Highway has such a macro too, but it needs Highway's shared library,
/// which spends milliseconds at the start of every process on measuring a clock.
#define RAMPART_DISPATCH(name)                                                                     \
  (*rampart::version_for_this_machine<std::remove_pointer_t<decltype(HWY_CHOOSE_FALLBACK(name))>>( \
      HWY_CHOOSE_AVX3(name), HWY_CHOOSE_AVX2(name), HWY_CHOOSE_SSE4(name),                         \
      HWY_CHOOSE_FALLBACK(name)))
