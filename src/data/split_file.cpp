#include "data/split_file.hpp"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>
#include <algorithm>
#include <cmath>
#include <optional>

#include "data/classes.hpp"
#include "data/line_reader.hpp"
#include "data/row_reader.hpp"
#include "data/rows_file_stream.hpp"
#include "rampart/rows_file.hpp"
#include "util/random.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_labels = 100;

// The test rows of one class: one of each stretch of 1/share rows.
class Dealer {
 public:
  Dealer(double share, std::uint64_t seed) : share_(share), random_(seed) { choose(); }

  // Whether the next row is a test row.
  bool deal() {
    if (row_ == end_) choose();
    return row_++ == chosen_;
  }

 private:
  void choose() {
    const std::size_t begin = end_;
    ++stretches_;
    // The quotient of 1 and 0.1 and the like must not be rounded up.
    constexpr double rounding = 1e-9;
    end_ = static_cast<std::size_t>(std::ceil(static_cast<double>(stretches_) / share_ - rounding));
    chosen_ = begin + below(random_, end_ - begin);
  }

  double share_;
  Random random_;
  std::size_t row_ = 0;
  std::size_t stretches_ = 0;
  std::size_t end_ = 0;  // of the stretch
  std::size_t chosen_ = 0;
};

class Splitter {
 public:
  Splitter(const SplitOptions& options, const Place& file,
           const std::function<void(bool, std::string_view)>& write)
      : options_(options),
        file_(file),
        write_(write),
        // More than half is dealt by choosing the training rows.
        swapped_(options.test_share > 0.5) {
    if (!options.group_file.empty()) {
      groups_.emplace(ByteSource::file(options.group_file, options.read.limits),
                      options.read.limits);
    }
  }

  void add(std::string_view label, std::string_view group, std::string_view text,
           const Place& place) {
    const std::size_t k = find_class(label, place);
    if (groups_) {
      const auto line = groups_->next();
      if (!line) {
        throw InputError(
            fmt::format("{}: fewer groups than {} has rows", options_.group_file, file_.file));
      }
      group = trimmed(*line);
    }
    const bool grouped = groups_ || !options_.read.group.empty();
    if (grouped && group.empty()) refuse(place, "no group");
    const bool to_test = grouped ? is_test_group(group) : dealers_[k].deal() != swapped_;
    ++(to_test ? classes_[k].test : classes_[k].training);
    write_(to_test, text);
    if (!text.ends_with('\n')) write_(to_test, "\n");
  }

  [[nodiscard]] std::vector<SplitClass> finish() {
    if (classes_.empty()) refuse(file_, "no rows");
    if (groups_ && groups_->next()) {
      throw InputError(
          fmt::format("{}: more groups than {} has rows", options_.group_file, file_.file));
    }
    std::size_t training = 0;
    std::size_t test = 0;
    for (const SplitClass& one : classes_) {
      training += one.training;
      test += one.test;
    }
    if (training == 0 || test == 0) {
      refuse(file_, fmt::format("no row is left for the {} part; choose another share or seed",
                                test == 0 ? "test" : "training"));
    }
    return std::move(classes_);
  }

 private:
  std::size_t find_class(std::string_view label, const Place& place) {
    const std::string name = class_name(label);
    const auto found = std::ranges::find(classes_, name, &SplitClass::label);
    const auto k = static_cast<std::size_t>(found - classes_.begin());
    if (found != classes_.end()) return k;
    if (k == most_labels) {
      refuse(place,
             fmt::format("more than {} different labels; is this the label column?", most_labels),
             Setting::label);
    }
    classes_.push_back({.label = name});
    const double share = swapped_ ? 1 - options_.test_share : options_.test_share;
    dealers_.emplace_back(share, options_.seed + 0x9e3779b97f4a7c15 * k);
    return k;
  }

  [[nodiscard]] bool is_test_group(std::string_view group) const {
    constexpr double range = 18446744073709551616.0;  // 2⁶⁴
    const auto hash = static_cast<double>(XXH64(group.data(), group.size(), options_.seed));
    return hash / range < options_.test_share;
  }

  const SplitOptions& options_;
  Place file_;
  const std::function<void(bool, std::string_view)>& write_;
  bool swapped_;
  std::optional<LineReader> groups_;
  std::vector<SplitClass> classes_;
  std::vector<Dealer> dealers_;
};

void write_head(std::string_view head, const std::function<void(bool, std::string_view)>& write) {
  for (const bool to_test : {false, true}) {
    write(to_test, head);
    if (!head.empty() && !head.ends_with('\n')) write(to_test, "\n");
  }
}

// Rows that have no text: `write` gets their numbers.
std::vector<SplitClass> split_rows(const std::string& path, const SplitOptions& options,
                                   const std::function<void(bool, std::string_view)>& write) {
  require_no_text_options({&path, 1}, options.read);
  const MappedDataset mapped(path, {.check_now = false, .ids = false});
  const Problem data = mapped.problem();
  Splitter splitter(options, {.file = path}, write);
  for (std::size_t n = 0; n < data.size(); ++n) {
    const std::string_view group = data.groups.empty() || options.read.group.empty()
                                       ? std::string_view()
                                       : std::string_view(data.groups[n]);
    splitter.add(data.y[n] > 0 ? data.classes.positive : data.classes.negative, group,
                 fmt::format("{}\n", n), {.file = path, .line = n + 1});
  }
  return splitter.finish();
}

}  // namespace

std::vector<SplitClass> split_file(const std::string& path, const SplitOptions& options,
                                   const std::function<void(bool, std::string_view)>& write) {
  if (!(options.test_share > 0 && options.test_share < 1)) {
    throw OptionError(
        fmt::format("test share = {}: must be greater than 0 and less than 1", options.test_share));
  }
  if (is_rows_file(path)) return split_rows(path, options, write);
  FoundRows found = find_rows(ByteSource::file(path, options.read.limits), options.read);
  if (auto* lines = std::get_if<LineReader>(&found)) {
    refuse_csv_options(options.read, lines->whole_file());
    Splitter splitter(options, lines->whole_file(), write);
    while (const auto line = lines->next()) {
      std::string_view row = line->substr(0, line->find('#'));
      const std::string_view label = take_word(row);
      if (!label.empty()) splitter.add(label, {}, *line, lines->place());
    }
    return splitter.finish();
  }
  TableRows& rows = std::get<TableRows>(found);
  rows.keep_text();
  bool ready = false;
  const Columns columns = plan_table(rows, options.read, true, ready);
  if (rows.arff() != nullptr) {
    write_head(rows.arff()->head(), write);
  } else if (!ready) {
    write_head(rows.text(), write);
  }
  Splitter splitter(options, rows.whole_file(), write);
  for (; ready || rows.next(); ready = false) {
    const Fields& fields = rows.fields();
    if (fields.size() != columns.count) {
      refuse(rows.place(),
             fmt::format("{} fields where the first row has {}", fields.size(), columns.count));
    }
    splitter.add(trimmed(fields[*columns.label]),
                 columns.group ? trimmed(fields[*columns.group]) : std::string_view(), rows.text(),
                 rows.place());
  }
  return splitter.finish();
}

}  // namespace rampart
