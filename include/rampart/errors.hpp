#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rampart {

/// What every exception of this library derives from. The text names the thing, its value and the
/// rule it breaks, fit to be shown to a user as it is.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file or a data set that cannot be used: "train.svm:17: feature 3 after feature 5".
class InputError : public Error {
 public:
  using Error::Error;
};

/// An option out of its range: "C = -1: must be > 0".
class OptionError : public Error {
 public:
  using Error::Error;
};

/// A model file that is damaged, foreign or too new, or a model that does not fit the data.
class ModelError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be written.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// The word of the list that is most like this one, for "did you mean"; nothing if none is like it.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word,
                                                      const std::vector<std::string>& words);

}  // namespace rampart
