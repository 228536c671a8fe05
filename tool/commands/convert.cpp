
#include "commands/command.hpp"
#include "files/paths.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(From one text format to the other, checked on the way.

Examples:
  rampart convert train.csv train.svm --label status --ignore name
  rampart convert a9a.libsvm.xz a9a.csv
  rampart convert raw.data - --to csv | head)";

struct ConvertCommand {
  CommonOptions common;
  DataOptions data;
  std::string input;
  std::string output;
  std::string to;

  void add_to(CLI::App& command) {
    command.add_option("IN", input, "Labelled rows: LIBSVM or CSV, .gz or .xz; - is stdin")
        ->required();
    command.add_option("OUT", output, "The file to write; - is stdout")
        ->check(a_file_name())
        ->required();
    command.add_option("--to", to, "Default: csv if OUT ends in .csv, else libsvm")
        ->check(CLI::IsMember({"libsvm", "csv"}).description(""))
        ->type_name("libsvm|csv");
    data.add_to(command, true);
    common.add_to(command);
  }

  int run() {
    if (common.json && output == "-") {
      throw OptionError(
          "--json: give OUT a file name; the rows would share standard output with it");
    }
    require_other_file(output, {input});
    Target target(output);
    Progress progress(common.quiet);
    data.read.progress = progress.reading(input);
    const Dataset dataset = read_dataset(input, data.read);
    progress.clear();
    const bool csv = to.empty() ? output.ends_with(".csv") : to == "csv";
    target.write(csv ? to_csv(dataset) : to_libsvm(dataset));
    target.commit();
    if (common.json) {
      print_json(Json{{"rows", dataset.size()},
                      {"features", dataset.x.columns()},
                      {"classes", {dataset.classes.negative, dataset.classes.positive}},
                      {"output", output}});
    }
    return exit_done;
  }
};

}  // namespace

Run add_convert(CLI::App& app) { return add<ConvertCommand>(app, "convert", about); }

}  // namespace rampart::tool
