#pragma once

#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace rampart {

/// The setting that an error message advises to change. The message describes it in words; a
/// program adds the name that its users know it by: an option of a command, a parameter in Python.
enum class Setting {
  none,
  scaling,
  cache,
  band_folds,
  label,
  ignore,
  weight,
  groups,
  header,
  delimiter,
  line_limit,
  cell_limit,
  unpacking_limit,
  model_limit,
  id,
  categorical,
  max_categories,
  missing_values,
  missing,
  keep,
  text_column,  ///< what a column of text is: the ids, left out, or more categories
};

/// Base of every exception of this library. The text names the thing, its value and the rule that
/// it breaks, and can be shown to a user unchanged.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Setting setting = Setting::none)
      : std::runtime_error(message), setting_(setting) {}

  [[nodiscard]] Setting setting() const noexcept { return setting_; }

 private:
  Setting setting_;
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

/// A model file that is damaged, of another format or of a later version, or a model that does not
/// fit the data.
class ModelError : public Error {
 public:
  using Error::Error;
};

/// A file that cannot be written.
class OutputError : public Error {
 public:
  using Error::Error;
};

/// The same error with its subject in front: "train.csv: row 3: …".
template <std::derived_from<Error> SomeError>
[[nodiscard]] SomeError error_about(std::string_view subject, const SomeError& error) {
  return SomeError(std::string(subject) + ": " + error.what(), error.setting());
}

/// The most similar word of the list, for "did you mean"; nothing if none is similar.
[[nodiscard]] std::optional<std::string> nearest_word(std::string_view word,
                                                      const std::vector<std::string>& words);

}  // namespace rampart
