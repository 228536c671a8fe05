#include "options/common.hpp"

#include "evaluate/intervals.hpp"
#include "options/shared_option.hpp"
#include "options/values.hpp"
#include "rampart/metrics.hpp"

namespace rampart::tool {

void CommonOptions::add_to(CLI::App& command) {
  command.add_flag("--json", json, "Print one JSON object instead of text");
  command.add_flag("-q,--quiet", quiet, "No progress, no notes");
  const OptionText& option = option_text("threads");
  command.add_option("--threads", threads, help_text(option))
      ->check(check_of(option))
      ->type_name(std::string(option.value));
}

void ConfidenceOption::add_to(CLI::App& command) {
  command
      .add_option("--confidence", level,
                  "Of the intervals; greater than 0, less than 1; default: 0.95")
      ->check(a_number())
      ->type_name("P");
}

void ConfidenceOption::validate() const { static_cast<void>(clopper_pearson(0, 0, level)); }

void add_training_data(CLI::App& command, std::string& path) {
  command
      .add_option("DATA", path,
                  "Labelled rows: LIBSVM, CSV, ARFF (.gz, .xz) or .rows; a folder or a pattern in "
                  "quotes is one data set; - is stdin")
      ->required();
}

void add_model_outputs(CLI::App& command, std::string& path) {
  command
      .add_option("-o,--output", path,
                  "The model file; - is stdout; {d} in it stands for the reject cost")
      ->check(a_file_name())
      ->type_name("MODEL")
      ->required();
}

}  // namespace rampart::tool
