#include "options/values.hpp"

namespace rampart::tool {

CLI::Option* add_numbers(CLI::App& command, const std::string& names, std::vector<double>& values,
                         const std::string& about) {
  const std::string name = names.substr(0, names.find(','));
  return command
      .add_option_function<std::string>(
          names, [&values, name](const std::string& text) { values = number_list(name, text); },
          about)
      ->type_name("LIST");
}

CLI::Validator a_number() {
  const auto check = [](const std::string& given) -> std::string {
    return number_in(given) ? "" : fmt::format("'{}' is not a number", given);
  };
  return CLI::Validator(check, "");
}

CLI::Validator a_whole_number(std::uint64_t most) {
  const auto check = [most](const std::string& given) -> std::string {
    const auto value = whole_number_in(given);
    if (value && *value <= most) return "";
    return most == UINT64_MAX
               ? fmt::format("'{}' is not a whole number >= 0", given)
               : fmt::format("'{}' is not a whole number between 0 and {}", given, most);
  };
  return CLI::Validator(check, "");
}

CLI::Validator a_file_name() {
  const auto check = [](const std::string& given) -> std::string {
    return given.empty() ? "the name of the file is empty" : "";
  };
  return CLI::Validator(check, "");
}

}  // namespace rampart::tool
