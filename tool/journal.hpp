#pragma once

#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "output.hpp"
#include "rampart/cross_validation.hpp"

namespace rampart::tool {

/// What a long tuning has found so far, in a file: one line of JSON each, after a first line that
/// says what problem it is. A run that is killed at any moment goes on from there when it is
/// started again; a last line that was cut short is dropped.
class Journal {
 public:
  /// Opens the file, or begins it. `problem` is everything that decides the results. Throws
  /// InputError if the file is no journal, or one of another problem.
  Journal(std::string path, const Json& problem);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What it held when it was opened, of one part of the work. Costs are those of the methods.
  [[nodiscard]] std::vector<FoldResult> known(std::size_t part,
                                              const std::vector<Method>& methods) const;
  [[nodiscard]] std::size_t known_count() const { return entries_.size(); }

  /// Adds a line, which is on its way to the disk when this returns.
  void add(std::size_t part, const FoldResult& result);

 private:
  struct Entry {
    std::size_t part;
    FoldResult result;
  };
  void read(const std::string& text, const Json& problem);

  std::string path_;
  std::vector<Entry> entries_;
  int descriptor_ = -1;
};

}  // namespace rampart::tool
