#include "data/generate.hpp"

#include <fmt/format.h>

#include "commands/command.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "render/output.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about =
    R"(The paper's artificial data sets, any size, the same bytes everywhere.

Examples:
  rampart generate square -o square.csv
  rampart generate synthetic1 --rows 10000 --seed 2 -o test.svm
  rampart generate synthetic2 --format csv | head -n 3

  synthetic1   linear, 10 % of the labels flipped            (300 rows in the paper)
  synthetic2   two mixtures of ten Gaussians                 (200)
  square       a diagonal with a band of random labels       (400))";

constexpr std::uint64_t most_rows = 1'000'000'000;

struct GenerateCommand {
  CommonOptions common;
  std::string name;
  std::string output = "-";
  std::string format;
  std::optional<std::size_t> rows;
  std::uint64_t seed = 1;
  std::uint64_t problem_seed = 1;

  void add_to(CLI::App& command) {
    command.add_option("NAME", name, "synthetic1, synthetic2 or square")
        ->required()
        ->check(CLI::IsMember({"synthetic1", "synthetic2", "square"}).description(""))
        ->type_name("synthetic1|synthetic2|square");
    command.add_option("-o,--output", output, "Default: stdout")
        ->check(a_file_name())
        ->type_name("OUT");
    command.add_option("-n,--rows", rows, "How many; default: as many as in the paper")
        ->check(a_whole_number(most_rows))
        ->type_name("N");
    command.add_option("--seed", seed, "Another seed, other rows of the same problem; default: 1")
        ->check(a_whole_number())
        ->type_name("N");
    command
        .add_option("--problem-seed", problem_seed,
                    "Another one, another problem (the centres of synthetic2); default: 1")
        ->check(a_whole_number())
        ->type_name("N");
    command.add_option("--format", format, "Default: csv if OUT ends in .csv, else libsvm")
        ->check(CLI::IsMember({"libsvm", "csv"}).description(""))
        ->type_name("libsvm|csv");
    common.add_to(command);
  }

  int run() {
    if (common.json && output == "-") {
      throw OptionError("--json: give --output FILE; the rows would share standard output with it");
    }
    const SyntheticSet set = name == "synthetic1"   ? SyntheticSet::synthetic1
                             : name == "synthetic2" ? SyntheticSet::synthetic2
                                                    : SyntheticSet::square;
    Target target(output);
    const Dataset data = generate(set, rows.value_or(paper_size(set)), seed, problem_seed);
    const bool csv = format.empty() ? output.ends_with(".csv") : format == "csv";
    target.write(csv ? to_csv(data) : to_libsvm(data));
    target.commit();
    if (common.json) {
      print_json(Json{{"name", name},
                      {"rows", data.size()},
                      {"features", data.x.columns()},
                      {"seed", seed},
                      {"output", output}});
    }
    return exit_done;
  }
};

}  // namespace

Run add_generate(CLI::App& app) { return add<GenerateCommand>(app, "generate", about); }

}  // namespace rampart::tool
