#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "commands/command.hpp"
#include "data/convert_rows.hpp"
#include "data/rows_file_stream.hpp"
#include "files/inputs.hpp"
#include "files/paths.hpp"
#include "files/target.hpp"
#include "options/common.hpp"
#include "options/data.hpp"
#include "options/values.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "rampart/rows_file.hpp"
#include "render/output.hpp"
#include "render/progress.hpp"

namespace rampart::tool {
namespace {

constexpr const char* about = R"(From one form of rows to another, checked on the way.

Examples:
  rampart convert train.csv train.svm --label status --ignore name
  rampart convert a9a.libsvm.xz a9a.csv
  rampart convert raw.data - --to csv | head
  rampart convert big.csv.gz big.rows
  zcat logs-*.gz | rampart convert - logs.rows --float32
  rampart convert 'part-*.rows' all.rows

Rows in binary form (.rows) are read in place by all commands: nothing is parsed, and they may be
larger than the memory. IN may be larger than the memory too, and may come from a pipe.)";

const char* const rows_are_binary = "rows";

struct ConvertCommand {
  CommonOptions common;
  DataOptions data;
  std::string input;
  std::string output;
  std::string to;
  RowsFileOptions rows_form;

  void add_to(CLI::App& command) {
    command
        .add_option(
            "IN", input,
            "Labelled rows: LIBSVM, CSV or ARFF, .gz or .xz, or .rows; - is stdin; a folder "
            "or a 'pattern' is all its files")
        ->required();
    command.add_option("OUT", output, "The file to write; - is stdout, for text")
        ->check(a_file_name())
        ->required();
    command
        .add_option("--to", to, "Default: csv or rows if OUT ends in .csv or .rows, else libsvm")
        ->check(CLI::IsMember({"libsvm", "csv", rows_are_binary}).description(""))
        ->type_name("libsvm|csv|rows");
    command.add_flag("--float32", rows_form.float32,
                     "rows: values of half the size; says how many were rounded");
    command
        .add_option("--groups", data.read.group,
                    "CSV to rows: the column of who a row belongs to, for folds")
        ->type_name("COLUMN")
        ->group("Reading DATA");
    data.add_to(command, true);
    common.add_to(command);
  }

  int run() {
    if (common.json && output == "-") {
      throw OptionError(
          "--json: give OUT a file name; the rows would share standard output with it");
    }
    const std::string form = !to.empty()                 ? to
                             : output.ends_with(".csv")  ? "csv"
                             : output.ends_with(".rows") ? rows_are_binary
                                                         : "libsvm";
    const bool binary = form == rows_are_binary;
    if (rows_form.float32 && !binary) {
      throw OptionError("--float32: is for OUT in binary form (.rows); text has all digits");
    }
    if (!data.read.group.empty() && !binary) {
      throw OptionError("--groups: only OUT in binary form (.rows) has a place for groups");
    }
    const std::vector<std::string> files = files_of(input);
    require_other_file(output, files);
    Target target(output);
    Progress progress(common.quiet);
    data.read.progress = progress.reading(input);
    data.read.threads = common.threads;
    ConvertedRows converted;
    if (binary) {
      converted = convert_to_rows(files, data.read, target.file(), rows_form);
    } else if (are_rows_files(files)) {
      converted = write_text(files, form == "csv", target);
    } else {
      const Dataset dataset = read_dataset(files, data.read);
      target.write(form == "csv" ? to_csv(dataset) : to_libsvm(dataset));
      converted = {.rows = dataset.size(),
                   .columns = dataset.x.columns(),
                   .dense = dataset.x.is_dense(),
                   .stored = dataset.x.stored_values(),
                   .classes = dataset.classes};
    }
    progress.clear();
    target.commit();
    if (rows_form.float32 && !common.quiet) {
      note(fmt::format("{}: {} of {} values were rounded to float32", output, converted.rounded,
                       converted.stored));
    }
    if (common.json) {
      Json json{{"rows", converted.rows},
                {"features", converted.columns},
                {"classes", {converted.classes.negative, converted.classes.positive}},
                {"output", output}};
      if (binary) {
        json["form"] = converted.dense ? "dense" : "sparse";
        json["stored_values"] = converted.stored;
        json["rounded_values"] = converted.rounded;
      }
      print_json(json);
    }
    return exit_done;
  }

  /// Some rows at a time: the files may be larger than the memory.
  [[nodiscard]] ConvertedRows write_text(const std::vector<std::string>& files, bool csv,
                                         Target& target) const {
    const MappedDataset mapped(files, {.check_now = false, .positive = data.read.positive});
    const Problem all = mapped.problem();
    constexpr std::size_t values_together = 1 << 20;
    const std::size_t together =
        std::clamp<std::size_t>(values_together / all.x.columns(), 1, 1 << 16);
    std::size_t header = 0;  // bytes of it, which each part has
    for (std::size_t n = 0; n < all.size(); n += together) {
      const std::size_t count = std::min(together, all.size() - n);
      all.x.range(n, n + count).ensure_readable();
      const Dataset part = copy_of(all, n, count);
      if (csv && n == 0) header = to_csv(part.subset({})).size();
      const std::string text = csv ? to_csv(part) : to_libsvm(part);
      target.write(std::string_view(text).substr(n == 0 ? 0 : header));
      all.x.range(n, n + count).dont_need();
    }
    return {.rows = all.size(), .columns = all.x.columns(), .classes = all.classes};
  }

  [[nodiscard]] static Dataset copy_of(const Problem& all, std::size_t first, std::size_t count) {
    const auto part = [&](const auto& whole) {
      return whole.empty() ? whole : whole.subspan(first, count);
    };
    const auto copy = [](const auto& span) { return std::vector(span.begin(), span.end()); };
    Dataset data;
    data.x = all.x.range(first, first + count).to_rows();
    data.y = copy(part(all.y));
    data.weights = copy(part(all.weights));
    data.ids = copy(part(all.ids));
    data.id = all.id;
    data.classes = all.classes;
    data.label = all.label;
    data.features = copy(all.features);
    data.categories = copy(all.categories);
    return data;
  }
};

}  // namespace

Run add_convert(CLI::App& app) { return add<ConvertCommand>(app, "convert", about); }

}  // namespace rampart::tool
