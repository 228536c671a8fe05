#include "files/output_names.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "rampart/errors.hpp"
#include "render/output.hpp"

namespace rampart::tool {
namespace {

constexpr std::size_t most_models = 100;  // at a time: each is an open file

}  // namespace

std::vector<std::string> output_names(const std::string& output,
                                      const std::vector<TrainOptions>& methods) {
  constexpr std::string_view mark = "{d}";
  const bool marked = output.find(mark) != std::string::npos;
  if (methods.size() > 1 && !marked) {
    throw OptionError(fmt::format(
        "output {}: needs {{d}} in its name, for several reject costs give several models",
        output));
  }
  if (methods.size() > most_models) {
    throw OptionError(fmt::format("{} reject costs: at most {} models can be trained at a time",
                                  methods.size(), most_models));
  }
  std::vector<std::string> outputs;
  for (const TrainOptions& method : methods) {
    const Costs& costs = method.costs();
    if (marked && !costs.is_symmetric()) {
      throw OptionError(fmt::format(
          "output {}: {{d}} stands for the reject cost, and a table of costs has several", output));
    }
    std::string name = output;
    for (std::size_t at = name.find(mark); at != std::string::npos; at = name.find(mark, at)) {
      name.replace(at, mark.size(), number(costs.reject_positive));
    }
    outputs.push_back(std::move(name));
  }
  return outputs;
}

}  // namespace rampart::tool
