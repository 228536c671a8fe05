#include "render/completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

namespace rampart::tool {
namespace {

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

/// 'text' for a POSIX shell.
std::string in_quotes(const std::string& text) {
  return "'" + replaced(text, "'", R"('\'')") + "'";
}

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> all_names(const std::vector<OptionEntry>& options) {
  std::vector<std::string> names;
  for (const OptionEntry& option : options) {
    for (const std::string& name : option.names()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> names_of(const std::vector<CommandEntry>& commands) {
  std::vector<std::string> names;
  for (const CommandEntry& command : commands) names.push_back(command.name);
  return names;
}

/// The values that a command's arguments may have, if these are few.
std::vector<std::string> argument_choices(const CommandEntry& command) {
  std::vector<std::string> choices;
  for (const OptionEntry& argument : command.arguments) {
    choices.insert(choices.end(), argument.choices.begin(), argument.choices.end());
  }
  return choices;
}

std::string bash_case(const CommandEntry& command) {
  std::string text = fmt::format("    {})\n      case $before in\n", command.name);
  for (const OptionEntry& option : command.options) {
    if (option.value.empty()) continue;
    const std::string pattern = joined(option.names(), "|");
    if (!option.choices.empty()) {
      text += fmt::format("        {}) values='{}' ;;\n", pattern, joined(option.choices));
    } else if (option.takes_file) {
      text += fmt::format("        {}) return ;;\n", pattern);
    } else {
      text += fmt::format("        {}) compopt +o default; return ;;\n", pattern);
    }
  }
  return text + fmt::format("        *) options='{}'; values='{}' ;;\n      esac ;;\n",
                            joined(all_names(command.options)), joined(argument_choices(command)));
}

/// Inside of the brackets and between the colons of _arguments.
std::string zsh_text(const std::string& text) {
  return replaced(replaced(replaced(replaced(text, "\\", "\\\\"), "[", "\\["), "]", "\\]"), ":",
                  "\\:");
}

/// ":KIND:(linear rbf)"
std::string zsh_value(const OptionEntry& option) {
  if (option.value.empty()) return "";
  std::string action;
  if (!option.choices.empty()) {
    action = fmt::format("({})", joined(option.choices));
  } else if (option.takes_file) {
    action = "_files";
  }
  return fmt::format(":{}:{}", zsh_text(option.value), action);
}

std::string zsh_case(const CommandEntry& command) {
  std::string text = fmt::format("    {})\n      _arguments -s", command.name);
  for (const OptionEntry& option : command.options) {
    // Of the names of one option, one is enough.
    const std::string others =
        option.names().size() > 1 ? fmt::format("({})", joined(option.names())) : "";
    for (const std::string& name : option.names()) {
      text += " \\\n        " + in_quotes(fmt::format("{}{}[{}]{}", others, name,
                                                      zsh_text(option.about), zsh_value(option)));
    }
  }
  for (const OptionEntry& argument : command.arguments) {
    text += " \\\n        " + in_quotes(zsh_value(argument));
  }
  return text + " ;;\n";
}

/// 'text' for fish.
std::string in_fish_quotes(const std::string& text) {
  return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fish_line(const OptionEntry& option, const std::string& when) {
  std::string line = fmt::format("complete -c rampart -n {}", in_fish_quotes(when));
  for (const std::string& name : option.short_names) line += " -s " + name;
  // A long name of one letter is written out like the others.
  for (const std::string& name : option.long_names) line += " -l " + name;
  if (!option.choices.empty()) {
    line += fmt::format(" -x -a {}", in_fish_quotes(joined(option.choices)));
  } else if (!option.value.empty()) {
    line += option.takes_file ? " -r -F" : " -x";
  }
  return line + fmt::format(" -d {}\n", in_fish_quotes(option.about));
}

}  // namespace

std::string bash_completion(const CommandEntry& whole, const std::vector<CommandEntry>& commands) {
  std::string text = fmt::format(R"(# bash completion for rampart, made by 'rampart completion bash'
_rampart() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}}
  local command= options= values= k
  COMPREPLY=()
  for ((k = 1; k < COMP_CWORD; ++k)); do
    case ${{COMP_WORDS[k]}} in
      {}) command=${{COMP_WORDS[k]}}; break ;;
    esac
  done
  case $command in
    '') options='{}'; values='{}' ;;
)",
                                 joined(names_of(commands), "|"), joined(all_names(whole.options)),
                                 joined(names_of(commands)));
  for (const CommandEntry& command : commands) text += bash_case(command);
  return text + R"(  esac
  if [[ $word == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [[ -n $values ]]; then
    COMPREPLY=($(compgen -W "$values" -- "$word"))
  fi
}
complete -o bashdefault -o default -F _rampart rampart
)";
}

std::string zsh_completion(const CommandEntry& whole, const std::vector<CommandEntry>& commands) {
  std::string text =
      "#compdef rampart\n# zsh completion for rampart, made by 'rampart completion zsh'\n"
      "_rampart() {\n  local -a commands\n  commands=(\n";
  for (const CommandEntry& command : commands) {
    text += "    " + in_quotes(command.name + ":" + replaced(command.about, ":", "\\:")) + "\n";
  }
  text += "  )\n  if (( CURRENT == 2 )); then\n    _describe -t commands command commands\n";
  text += "    _arguments";
  for (const OptionEntry& option : whole.options) {
    for (const std::string& name : option.names()) {
      text += " " + in_quotes(fmt::format("{}[{}]", name, zsh_text(option.about)));
    }
  }
  text += "\n    return\n  fi\n  local command=$words[2]\n  shift words\n  (( CURRENT-- ))\n";
  text += "  case $command in\n";
  for (const CommandEntry& command : commands) text += zsh_case(command);
  return text + "  esac\n}\n_rampart \"$@\"\n";
}

std::string fish_completion(const CommandEntry& whole, const std::vector<CommandEntry>& commands) {
  std::string text = "# fish completion for rampart, made by 'rampart completion fish'\n";
  const std::string at_first = "__fish_use_subcommand";
  for (const OptionEntry& option : whole.options) text += fish_line(option, at_first);
  for (const CommandEntry& command : commands) {
    text += fmt::format("complete -c rampart -n {} -f -a {} -d {}\n", at_first, command.name,
                        in_fish_quotes(command.about));
  }
  for (const CommandEntry& command : commands) {
    const std::string when = "__fish_seen_subcommand_from " + command.name;
    for (const OptionEntry& option : command.options) text += fish_line(option, when);
    const std::vector<std::string> choices = argument_choices(command);
    if (!choices.empty()) {
      text += fmt::format("complete -c rampart -n {} -f -a {}\n", in_fish_quotes(when),
                          in_fish_quotes(joined(choices)));
    }
  }
  return text;
}

}  // namespace rampart::tool
