#pragma once

#include <hwy/targets.h>

#include <functional>

namespace rampart::testing_support {

/// Runs the body once with each instruction set that this machine has and Highway compiled for.
inline void with_every_target(const std::function<void(const char* name)>& body) {
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body(hwy::TargetName(target));
    hwy::SetSupportedTargetsForTest(0);
  }
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace rampart::testing_support
