#include "options/libsvm_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "options/values.hpp"

namespace rampart::tool {
namespace {

/// An option of LIBSVM as it was typed: -w1 5 has letter 'w', label "1" and value "5".
struct Typed {
  char letter;
  std::string label;
  std::string value;
  std::string text;  // "-w1 5"
};

bool is_number(const std::string& text) { return number_in(text).has_value(); }

/// Whether these words, "--kernel rbf", were typed too, in whatever spelling.
bool was_typed(const std::vector<std::string>& arguments, const std::string& option,
               const std::string& value) {
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (arguments[k] == option + "=" + value) return true;
    if (arguments[k] == option && k + 1 < arguments.size() && arguments[k + 1] == value)
      return true;
  }
  return false;
}

/// Our option for one of theirs.
struct Word {
  std::string option;
  std::string value;
};

/// One of a few names, by LIBSVM's number for it.
template <std::size_t size>
std::string name_of(const std::string& value, const std::array<const char*, size>& names) {
  if (value.size() == 1 && value[0] >= '0' && value[0] < static_cast<char>('0' + size)) {
    return names[static_cast<std::size_t>(value[0] - '0')];
  }
  return {};
}

std::optional<Word> our_word(const Typed& typed) {
  switch (typed.letter) {
    case 't': {
      const std::string name =
          name_of<5>(typed.value, {"linear", "polynomial", "rbf", "sigmoid", "precomputed"});
      return Word{"--kernel", name.empty() ? "NAME" : name};
    }
    case 's':
      if (typed.value.empty() || typed.value == "0") return Word{"--loss", "hinge"};
      return std::nullopt;
    case 'd':
      // Those who know this command may mean --d, the cost of declining.
      if (is_number(typed.value) && *number_in(typed.value) < 1) {
        return Word{"--reject-cost", typed.value};
      }
      return Word{"--degree", typed.value.empty() ? "N" : typed.value};
    case 'r':
      return Word{"--coef0", typed.value.empty() ? "X" : typed.value};
    case 'm':
      return Word{"--cache-mb", typed.value.empty() ? "MB" : typed.value};
    case 'w':
      return Word{"--class-weight",
                  fmt::format("{}={}", typed.label.empty() ? "LABEL" : typed.label,
                              typed.value.empty() ? "W" : typed.value)};
    default:
      return std::nullopt;
  }
}

/// What there is instead of an option that has no counterpart.
std::string_view no_word(char letter) {
  switch (letter) {
    case 's':
      return "is nothing, since there is no nu, one-class or regression; --loss names the losses";
    case 'b':
      return "is nothing, since there are scores and rejections, no probabilities";
    case 'n':
      return "is nothing, since there is no nu; -c weighs the loss";
    case 'p':
      return "is nothing, since there is no regression";
    default:
      return {};
  }
}

/// What follows an option: a number, if there is one.
std::string value_after(const std::vector<std::string>& arguments, std::size_t at) {
  return at + 1 < arguments.size() && is_number(arguments[at + 1]) ? arguments[at + 1] : "";
}

/// The options among the arguments that have the form of LIBSVM's: -t 2, -t2, -w1 5, -w-1 5.
std::vector<Typed> typed_options(const std::vector<std::string>& arguments) {
  std::vector<Typed> found;
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    const std::string& argument = arguments[k];
    if (argument == "--") break;
    if (argument.size() < 2 || argument[0] != '-' || argument[1] == '-') continue;
    const std::string rest = argument.substr(2);
    Typed typed{.letter = argument[1], .label = {}, .value = {}, .text = argument};
    if (typed.letter == 'w') {
      typed.label = rest;
      typed.value = value_after(arguments, k);
    } else {
      if (!rest.empty() && !is_number(rest)) continue;
      typed.value = rest.empty() ? value_after(arguments, k) : rest;
    }
    if (!typed.value.empty() && typed.value != rest) typed.text += " " + typed.value;
    found.push_back(std::move(typed));
  }
  return found;
}

/// "is --kernel rbf"
std::string meaning(const Typed& typed, const std::string& command,
                    const std::vector<std::string>& known,
                    const std::vector<std::string>& arguments) {
  if (typed.letter == 'v') {
    return fmt::format("is a command of its own, rampart cv DATA -v {}",
                       typed.value.empty() ? "K" : typed.value);
  }
  const std::optional<Word> word = our_word(typed);
  if (!word) return std::string(no_word(typed.letter));
  if (std::ranges::find(known, word->option) == known.end()) {
    return fmt::format("belongs to training ({}), and {} takes it from the model", word->option,
                       command);
  }
  if (was_typed(arguments, word->option, word->value)) {
    return fmt::format("is {} {}, which is there already", word->option, word->value);
  }
  return fmt::format("is {} {}", word->option, word->value);
}

}  // namespace

std::optional<std::string> libsvm_words(const std::string& command,
                                        const std::vector<std::string>& known,
                                        const std::vector<std::string>& arguments) {
  constexpr std::array commands = {"train", "cv", "tune", "predict", "evaluate"};
  if (std::ranges::find(commands, command) == commands.end()) return std::nullopt;
  std::string line;
  for (const Typed& typed : typed_options(arguments)) {
    if (std::ranges::find(known, std::string("-") + typed.letter) != known.end()) continue;
    const bool trains = command != "predict" && command != "evaluate";
    if (!trains && std::string_view("stdrmwnpb").find(typed.letter) == std::string_view::npos) {
      continue;
    }
    const std::string means = meaning(typed, command, known, arguments);
    if (means.empty()) continue;
    line += fmt::format("{}{} {}", line.empty() ? "here " : "; ", typed.text, means);
  }
  if (line.empty()) return std::nullopt;
  return line;
}

}  // namespace rampart::tool
