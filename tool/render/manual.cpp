#include "render/manual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "rampart/version.hpp"

namespace rampart::tool {
namespace {

/// Text that troff prints as it is. A minus is one that can be pasted into a shell.
std::string escaped(std::string_view text) {
  std::string out;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else if (c == '^') {
      out += "\\(ha";
    } else if (c == '~') {
      out += "\\(ti";
    } else if (c == '\'') {
      out += "\\(aq";
    } else {
      out += c;
    }
    line_begins = c == '\n';
  }
  return out;
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

std::string head(const std::string& name, const std::string& about) {
  return fmt::format(".TH {} 1 \"\" \"rampart {}\" \"Rampart\"\n.SH NAME\n{} \\- {}\n",
                     escaped(in_capitals(name)), version, escaped(name), escaped(about));
}

/// A paragraph; lines that begin with a space, such as formulas and commands, stay lines.
std::string paragraph(std::string_view text) {
  std::string out = ".PP\n";
  bool verbatim = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    if (line.starts_with(' ') != verbatim) {
      verbatim = !verbatim;
      out += verbatim ? ".RS\n.nf\n" : ".fi\n.RE\n";
    }
    out += escaped(line.substr(std::min<std::size_t>(verbatim ? 2 : 0, line.size()))) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + (verbatim ? ".fi\n.RE\n" : "");
}

/// The description of a command: paragraphs, of which the one that begins so are its examples.
std::string body(std::string_view text) {
  constexpr std::string_view examples_begin = "Examples:\n";
  constexpr std::string_view codes_begin = "Exit codes: ";
  std::string examples;
  std::string description;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find("\n\n"), text.size());
    const std::string_view one = text.substr(0, end);
    if (one.starts_with(examples_begin)) {
      examples = ".SH EXAMPLES\n" + paragraph(one.substr(examples_begin.size()));
    } else if (!one.starts_with(codes_begin)) {
      description += paragraph(one);
    }
    text.remove_prefix(std::min(end + 2, text.size()));
  }
  return (description.empty() ? "" : ".SH DESCRIPTION\n" + description) + examples;
}

std::string item(const OptionEntry& option) {
  std::string names;
  for (const std::string& name : option.names()) {
    names += fmt::format("{}\\fB{}\\fR", names.empty() ? "" : ", ", escaped(name));
  }
  if (!option.value.empty()) {
    names += fmt::format("{}\\fI{}\\fR", names.empty() ? "" : " ", escaped(option.value));
  }
  return fmt::format(".TP\n{}\n{}\n", names, escaped(option.about));
}

std::string options_of(const CommandEntry& command) {
  std::string text;
  if (!command.arguments.empty()) text += ".SH ARGUMENTS\n";
  for (const OptionEntry& argument : command.arguments) text += item(argument);
  text += ".SH OPTIONS\n";
  std::vector<std::string> groups;
  for (const OptionEntry& option : command.options) {
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  }
  for (const std::string& group : groups) {
    // The first group, without a name of its own, needs no heading.
    if (group != "Options") text += fmt::format(".SS {}\n", escaped(group));
    for (const OptionEntry& option : command.options) {
      if (option.group == group) text += item(option);
    }
  }
  return text;
}

}  // namespace

std::string manual_of_command(const CommandEntry& command) {
  std::string text = head("rampart-" + command.name, command.about);
  text += fmt::format(".SH SYNOPSIS\n.B rampart {}\n", command.name);
  for (const OptionEntry& argument : command.arguments) {
    text += fmt::format("\\fI{}\\fR\n", escaped(argument.value));
  }
  text += "[\\fIoptions\\fR]\n";
  return text + body(command.text) + options_of(command) + ".SH SEE ALSO\n.BR rampart (1)\n";
}

std::string manual_of_all(const CommandEntry& whole, const std::vector<CommandEntry>& commands) {
  std::string text = head("rampart", whole.about);
  text += ".SH SYNOPSIS\n.B rampart\n\\fIcommand\\fR [\\fIoptions\\fR]\n" + body(whole.text);
  text += ".SH COMMANDS\n";
  for (const CommandEntry& command : commands) {
    text += fmt::format(".TP\n\\fB{}\\fR\n{}\n", command.name, escaped(command.about));
  }
  text += options_of(whole);
  text +=
      ".SH EXIT STATUS\n"
      "0 done; 1 bad input, or a file that cannot be read or written; 2 wrong usage; 3 not "
      "converged (train \\-\\-strict); 129, 130, 143 ended by SIGHUP, SIGINT (Ctrl\\-C), SIGTERM, "
      "with no file half\\-written.\n.SH SEE ALSO\n";
  for (std::size_t k = 0; k < commands.size(); ++k) {
    text += fmt::format(".BR rampart\\-{} (1){}\n", commands[k].name,
                        k + 1 < commands.size() ? "," : "");
  }
  return text;
}

}  // namespace rampart::tool
