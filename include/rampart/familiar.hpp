#pragma once

namespace rampart {

/// What the training rows look like, so that rows unlike them can be rejected.
struct Familiar {
  friend bool operator==(const Familiar&, const Familiar&) = default;
};

}  // namespace rampart
