#pragma once

#include <cstdio>
#include <cstdlib>

/// A broken precondition is a bug in the caller, not an input to be reported: stop, in builds that
/// are made to find bugs. Release builds (NDEBUG) check nothing.
#ifdef NDEBUG
#define RAMPART_ASSERT(condition, text) static_cast<void>(0)
#else
#define RAMPART_ASSERT(condition, text)                                                   \
  (static_cast<bool>(condition)                                                           \
       ? static_cast<void>(0)                                                             \
       : (std::fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, text, #condition), \
          std::abort()))
#endif
