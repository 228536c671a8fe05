#include "options/shared_option.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "options/values.hpp"

namespace rampart::tool {
namespace {

bool is_choice(std::string_view all, const std::string& given) {
  const std::string list = fmt::format("|{}|", all);
  return given.find('|') == std::string::npos && list.find("|" + given + "|") != std::string::npos;
}

}  // namespace

std::string names_on_the_command_line(const OptionText& option) {
  std::string names = option.letter.empty() ? "" : fmt::format("-{},", option.letter);
  names += fmt::format("--{}", option.name);
  return option.synonym.empty() ? names : fmt::format("{},--{}", names, option.synonym);
}

std::string help_text(const OptionText& option) {
  std::string text(option.about);
  if (!option.larger.empty()) text += fmt::format("; larger: {}", option.larger);
  if (!option.standard.empty()) text += fmt::format("; default: {}", option.standard);
  return text;
}

std::string help_text(std::string_view name) { return help_text(option_text(name)); }

std::string help_text(OptionText option, const std::string& standard) {
  option.standard = standard;
  return help_text(option);
}

CLI::Validator check_of(const OptionText& option) {
  using Kind = OptionText::Kind;
  switch (option.kind) {
    case Kind::number:
      return a_number();
    case Kind::whole_number:
      return a_whole_number(option.most);
    case Kind::choice:
      return {[all = option.value](const std::string& given) {
                return is_choice(all, given) ? ""
                                             : fmt::format("'{}' is not one of {}", given, all);
              },
              ""};
    case Kind::text:
      break;
  }
  return {[](const std::string&) { return std::string(); }, ""};
}

CLI::Option* add_shared(CLI::App& command, std::string_view name, TrainingSettings& settings) {
  const OptionText& option = option_text(name);
  // What may be repeated comes as a list; the others come alone.
  const auto set = [&settings, &option](const std::vector<std::string>& values) {
    for (const std::string& value : values) settings.set(option.name, value);
  };
  auto* added = command.add_option_function<std::vector<std::string>>(
      names_on_the_command_line(option), set, help_text(option));
  if (option.name != "class-weight") added->expected(1);
  added->check(check_of(option))->type_name(std::string(option.value));
  if (!option.group.empty()) added->group(std::string(option.group));
  return added;
}

}  // namespace rampart::tool
