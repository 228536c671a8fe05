#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "commands/command.hpp"
#include "data/convert_rows.hpp"
#include "data/split_file.hpp"
#include "files/paths.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/rows_file.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(Divide a file into rows to train on and rows to test on.

Examples:
  rampart split heart.csv --test 0.3                  heart.train.csv and heart.test.csv
  rampart split visits.csv --label died --groups patient --seed 7
  rampart split big.csv.gz --test 0.1 -o train.csv test.csv

Rows are copied as they are; the header goes to both files. Every class gets its share, exact to a
row. With groups all rows of a group go to one file, and the share is that of the groups.)";

// The two files beside each other in the working folder: "heart.train.csv", "heart.test.csv".
std::vector<std::string> default_names(const std::string& input) {
  std::filesystem::path name = std::filesystem::path(input).filename();
  if (input == "-") name = "data.csv";
  if (name.extension() == ".gz" || name.extension() == ".xz") name = name.stem();
  const std::string stem = name.stem().string();
  const std::string extension = name.extension().string();
  return {stem + ".train" + extension, stem + ".test" + extension};
}

struct SplitCommand {
  CommonOptions common;
  DataOptions data;
  GroupOptions groups;
  SplitOptions split;
  std::string input;
  std::vector<std::string> outputs;

  void add_to(CLI::App& command) {
    command.add_option("DATA", input, "Labelled rows: LIBSVM, CSV or ARFF, .gz or .xz; - is stdin")
        ->required();
    command
        .add_option("--test", split.test_share,
                    "Share of the rows to test on, between 0 and 1; default: 0.3")
        ->check(a_number())
        ->type_name("SHARE");
    command
        .add_option("-o,--output", outputs,
                    "The two files; default: NAME.train.EXT and NAME.test.EXT in this folder")
        ->expected(2)
        ->type_name("TRAIN TEST");
    command.add_option("--seed", split.seed, "Another seed, another choice; default: 1")
        ->check(a_whole_number())
        ->type_name("N");
    groups.add_to(command, "Reading DATA");
    data.add_to(command, false);
    common.add_to(command);
  }

  int run() {
    if (outputs.empty()) outputs = default_names(input);
    for (const std::string& output : outputs) {
      if (output.empty()) throw OptionError("--output: a file name must not be empty");
      if (output == "-") throw OptionError("--output: two files are written; give their names");
      require_other_file(output, {input, groups.source});
    }
    require_different_outputs(outputs);
    split.read = data.read;
    std::error_code none;
    const bool from_file =
        !groups.source.empty() && std::filesystem::is_regular_file(groups.source, none);
    (from_file ? split.group_file : split.read.group) = groups.source;

    Target training(outputs[0]);
    Target test(outputs[1]);
    Progress progress(common.quiet);
    split.read.progress = progress.reading(input);
    std::array<std::string, 2> waiting;  // a write for each row would take most of the time
    const auto send = [&](bool to_test, std::size_t least) {
      if (waiting[to_test].size() < least) return;
      (to_test ? test : training).write(waiting[to_test]);
      waiting[to_test].clear();
    };
    std::array<std::vector<std::size_t>, 2> numbers;  // of rows that have no text
    const bool binary = is_rows_file(input);
    const std::vector<SplitClass> classes =
        split_file(input, split, [&](bool to_test, std::string_view text) {
          if (binary) {
            numbers[to_test].push_back(std::stoull(std::string(text)));
            return;
          }
          waiting[to_test] += text;
          send(to_test, 1 << 16);
        });
    for (const bool to_test : {false, true}) {
      if (binary) write_some_rows(input, numbers[to_test], (to_test ? test : training).file());
      send(to_test, 1);
    }
    Target::commit_all({&training, &test});
    progress.clear();
    show(classes);
    return exit_done;
  }

  void show(const std::vector<SplitClass>& classes) const {
    std::size_t training = 0;
    std::size_t test = 0;
    Json rows = Json::array();
    std::string text;
    for (const SplitClass& one : classes) {
      training += one.training;
      test += one.test;
      rows.push_back({{"label", one.label}, {"training", one.training}, {"test", one.test}});
      text +=
          fmt::format("  label {}: {} and {}\n", harmless_line(one.label), one.training, one.test);
    }
    if (common.json) {
      print_json(Json{{"training", {{"file", outputs[0]}, {"rows", training}}},
                      {"test", {{"file", outputs[1]}, {"rows", test}}},
                      {"classes", rows}});
    } else if (!common.quiet) {
      print(fmt::format("{}: {} rows to train on\n{}: {} rows to test on\n{}",
                        harmless_line(outputs[0]), training, harmless_line(outputs[1]), test,
                        text));
    }
  }
};

}  // namespace

Run add_split(CLI::App& app) { return add<SplitCommand>(app, "split", about); }

}  // namespace rampart::tool
