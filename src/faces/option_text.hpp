#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace rampart {

/// Something that a user may set, by name and as text.
struct OptionText {
  enum class Kind { number, whole_number, choice, text };
  /// What it belongs to: every training, or the search of `tune`.
  enum class Use { training, tuning };

  std::string_view name;      ///< "reject-cost"; the command puts "--" in front
  std::string_view letter;    ///< "c", typed "-c"; empty: none
  std::string_view synonym;   ///< another name; empty: none
  Kind kind;                  ///< of a single value
  std::string_view value;     ///< what a value looks like: "D", "linear|rbf"
  std::string_view standard;  ///< the default; empty: `about` says what happens without a value
  std::string_view group;     ///< heading in the help; empty: none
  std::string_view about;     ///< what it is
  std::string_view larger;    ///< what larger values do; empty where values have no order
  Use use = Use::training;
  std::uint64_t most = UINT64_MAX;  ///< whole numbers
};

/// All of them: the one source of the command's help, of the names of the C API and of the
/// parameters of the Python package. Every face of the core shows these texts, or is checked
/// against them.
[[nodiscard]] std::span<const OptionText> option_texts();

/// The entry of this name. Throws OptionError, with the nearest name, if there is none.
[[nodiscard]] const OptionText& option_text(std::string_view name);

}  // namespace rampart
