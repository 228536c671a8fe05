#pragma once

#include <optional>
#include <string>
#include <vector>

namespace rampart::tool {

/// Options of LIBSVM's programs that this command does not have, in one line with our words for
/// them: "here -t 2 is --kernel rbf". `known` are the command's options ("-c", "--C").
/// Nothing if no such option was typed.
[[nodiscard]] std::optional<std::string> libsvm_words(const std::string& command,
                                                      const std::vector<std::string>& known,
                                                      const std::vector<std::string>& arguments);

}  // namespace rampart::tool
