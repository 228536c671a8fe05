#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <cstdio>
#include <string>
#include <string_view>

#include "data/output_file.hpp"

namespace rampart::testing_support {

/// A file of this text, for one call.
template <class Call>
auto with_file(std::string_view text, const Call& call) {
  const std::string path =
      testing::TempDir() + "rampart_data_" + std::to_string(::getpid()) + ".txt";
  OutputFile out(path);
  out.write(text);
  out.commit();
  struct Remove {
    const std::string& path;
    ~Remove() { std::remove(path.c_str()); }
  } remove{path};
  return call(path);
}

}  // namespace rampart::testing_support
