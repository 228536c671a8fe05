#include "options/config_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>

#include "options/usage.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"

namespace rampart::tool {
namespace {

constexpr const char* name_of_option = "--config";
constexpr const char* about = "Options from a file: NAME = VALUE, after [COMMAND] for one command";
constexpr std::size_t most_bytes = 1 << 20;

std::string trimmed(std::string text) { return CLI::detail::trim(text); }

/// Without the comment that a # begins, but for one inside of quotes.
std::string without_comment(const std::string& line) {
  char quote = '\0';
  for (std::size_t k = 0; k < line.size(); ++k) {
    if (quote != '\0') {
      if (line[k] == quote) quote = '\0';
    } else if (line[k] == '"' || line[k] == '\'') {
      quote = line[k];
    } else if (line[k] == '#') {
      return line.substr(0, k);
    }
  }
  return line;
}

std::string unquoted(const std::string& value) {
  const bool quoted = value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
                      value.back() == value.front();
  return quoted ? value.substr(1, value.size() - 2) : value;
}

const CLI::Option* find_option(const CLI::App& command, const std::string& name) {
  for (const CLI::Option* option : command.get_options()) {
    const bool called =
        option->check_lname(name) || (name.size() == 1 && option->check_sname(name));
    if (called && option->get_configurable()) return option;
  }
  return nullptr;
}

/// Reads the file for CLI11, which gives an option the value of the file if none was typed.
class ConfigFile : public CLI::Config {
 public:
  explicit ConfigFile(const CLI::App& app) : app_(app) {}

  /// Needed by CLI11, to write files.
  std::string to_config(const CLI::App*, bool, bool, std::string) const override { return {}; }

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    const std::string path = app_.get_config_ptr()->as<std::string>();
    const auto chosen = app_.get_subcommands();
    std::vector<CLI::ConfigItem> found;
    std::map<const CLI::Option*, std::size_t> places;  // in found
    std::string section;
    std::string line;
    std::size_t bytes = 0;
    for (std::size_t number = 1; std::getline(input, line); ++number) {
      bytes += line.size() + 1;
      const std::string where = fmt::format("{}:{}", path, number);
      if (bytes > most_bytes) throw OptionError(path + ": more than 1 MiB of options");
      const std::string text = trimmed(without_comment(line));
      if (text.empty()) continue;
      if (text.front() == '[') {
        section = section_of(text, where);
        continue;
      }
      const std::size_t equals = text.find('=');
      const std::string name = trimmed(text.substr(0, equals));
      require_known(section, name, where);
      if (chosen.empty() || (!section.empty() && section != chosen.front()->get_name())) continue;
      const CLI::App& command = *chosen.front();
      const CLI::Option* option = find_option(command, name);
      if (option == nullptr || typed_otherwise(*option)) continue;
      const bool has_value = equals != std::string::npos;
      if (!has_value && option->get_expected_min() > 0) {
        throw OptionError(fmt::format("{}: {} needs a value, {} = VALUE", where, name, name));
      }
      const std::string value = has_value ? unquoted(trimmed(text.substr(equals + 1))) : "true";
      const auto [place, fresh] = places.emplace(option, found.size());
      if (fresh) {
        found.push_back({{command.get_name()}, name, {value}});
      } else if (option->get_items_expected_max() > 1) {
        found[place->second].inputs.push_back(value);
      } else {
        throw OptionError(fmt::format("{}: {} has a value already", where, name));
      }
    }
    return found;
  }

 private:
  /// Whether an option that excludes this one was typed: what is typed wins.
  static bool typed_otherwise(const CLI::Option& option) {
    return std::ranges::any_of(option.get_excludes(),
                               [](const CLI::Option* other) { return other->count() > 0; });
  }

  [[nodiscard]] std::string section_of(const std::string& text, const std::string& where) const {
    if (text.back() != ']') throw OptionError(fmt::format("{}: '{}' lacks its ]", where, text));
    const std::string name = trimmed(text.substr(1, text.size() - 2));
    const auto called = [&](const CLI::App* command) { return command->get_name() == name; };
    if (app_.get_subcommands(called).empty()) {
      throw OptionError(fmt::format("{}: {}", where, no_command(app_, name)));
    }
    return name;
  }

  /// Throws OptionError unless the command of this section, or without one any, has the option.
  void require_known(const std::string& section, const std::string& name,
                     const std::string& where) const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) {
      if (!section.empty() && command->get_name() != section) continue;
      if (find_option(*command, name) != nullptr) return;
      for (const CLI::Option* option : command->get_options()) {
        if (!option->get_configurable()) continue;
        names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
      }
    }
    const auto meant = nearest_word(name, names);
    throw OptionError(fmt::format(
        "{}: {} option '{}'{}", where,
        section.empty() ? "no command has an" : fmt::format("rampart {} has no", section), name,
        meant ? fmt::format("; did you mean '{}'?", *meant) : "; names are those of --help"));
  }

  const CLI::App& app_;
};

void require_readable(const std::string& path) {
  std::error_code none;
  if (std::filesystem::is_directory(path, none)) throw InputError(path + ": is a folder");
  if (!std::ifstream(path)) throw InputError(path + ": cannot be read");
  constexpr std::uintmax_t most = 1 << 20;
  if (!std::filesystem::is_regular_file(path, none) || std::filesystem::file_size(path) > most) {
    throw InputError(path + ": is no file of options: it has to be a file of at most 1 MiB");
  }
}

}  // namespace

void add_config_file(CLI::App& app) {
  app.config_formatter(std::make_shared<ConfigFile>(app));
  app.set_config(name_of_option, "", about)->check(a_file_name())->type_name("FILE")->group("");
}

void show_config_file(CLI::App& command) {
  command.add_option(name_of_option, about)->type_name("FILE")->configurable(false);
}

std::vector<std::string> with_config_first(std::vector<std::string> arguments) {
  const std::string joined = std::string(name_of_option) + "=";
  for (std::size_t k = 0; k < arguments.size() && arguments[k] != "--"; ++k) {
    const bool whole = arguments[k].starts_with(joined);
    if (!whole && (arguments[k] != name_of_option || k + 1 == arguments.size())) continue;
    const std::string path = whole ? arguments[k].substr(joined.size()) : arguments[k + 1];
    require_readable(path);
    const auto begin = arguments.begin() + static_cast<std::ptrdiff_t>(k);
    arguments.erase(begin, begin + (whole ? 1 : 2));
    arguments.insert(arguments.begin(), joined + path);
    break;
  }
  return arguments;
}

}  // namespace rampart::tool
