#include "data/columns.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <numeric>
#include <unordered_set>

#include "data/limits.hpp"
#include "util/number.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

constexpr std::size_t most_names_listed = 8;

[[noreturn]] void refuse_duplicate(std::string_view name, const Place& file) {
  refuse(file,
         fmt::format("two columns are called {}; rename one, or say that the file has no header",
                     quoted(name)),
         Setting::header);
}

// The names of the header, sorted, so that a name is found fast among thousands.
class Header {
 public:
  Header(const Fields& names, const Place& file) : names_(names), file_(file) {
    order_.resize(names.size());
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    std::ranges::stable_sort(order_, {}, [&](std::uint32_t i) { return names_[i]; });
  }

  // The column of this name. Throws if several have it.
  [[nodiscard]] std::optional<std::size_t> find(std::string_view name) const {
    const auto called = [&](std::uint32_t i) { return names_[i]; };
    const auto first = std::ranges::lower_bound(order_, name, {}, called);
    if (first == order_.end() || called(*first) != name) return std::nullopt;
    const auto next = std::ranges::next(first);
    if (next != order_.end() && called(*next) == name) refuse_twice(name);
    return *first;
  }

  // Throws: several columns have this name, or none.
  [[noreturn]] void refuse_twice(std::string_view name) const {
    if (!name.empty()) refuse_duplicate(name, file_);
    std::string numbers;
    std::size_t unnamed = 0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (!names_[i].empty() || ++unnamed > most_names_listed) continue;
      numbers += fmt::format("{}{}", numbers.empty() ? "" : ",", i + 1);
    }
    if (unnamed > most_names_listed) numbers += ",…";
    refuse(file_,
           fmt::format("{} columns have no name; name them, or leave them out by number: {}",
                       unnamed, numbers),
           Setting::ignore);
  }

  // "a, b, c", those that look most like `name` first.
  [[nodiscard]] std::string list(std::string_view name) const {
    std::vector<std::pair<std::size_t, std::size_t>> nearest;  // distance, column; sorted
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const std::pair found(edit_distance(name, names_[i]), i);
      nearest.insert(std::ranges::upper_bound(nearest, found), found);
      if (nearest.size() > most_names_listed) nearest.pop_back();
    }
    std::string text;
    for (std::size_t k = 0; k < nearest.size(); ++k) {
      text += fmt::format("{}{}", k > 0 ? ", " : "", printable(names_[nearest[k].second]));
    }
    if (names_.size() > most_names_listed) {
      text += fmt::format(", … ({} columns)", names_.size());
    }
    return text;
  }

  // A name that several columns have which are not taken.
  [[nodiscard]] std::optional<std::string_view> duplicate(const std::vector<bool>& taken) const {
    std::optional<std::string_view> last;
    for (const std::uint32_t i : order_) {
      if (taken[i]) continue;
      if (last == names_[i]) return last;
      last = names_[i];
    }
    return std::nullopt;
  }

 private:
  const Fields& names_;
  const Place& file_;
  std::vector<std::uint32_t> order_;
};

// What the user calls a column: its name, or else its number from 1.
std::size_t find_column(const std::string& wanted, const Columns& columns, const Header& header,
                        const Place& file) {
  if (const auto named = header.find(wanted)) return *named;
  if (const auto number = parse_integer(wanted, 1, static_cast<std::int64_t>(columns.count))) {
    return static_cast<std::size_t>(*number) - 1;
  }
  if (columns.header.empty()) {
    refuse(file, fmt::format("no column {}; the file has {} columns and no header", quoted(wanted),
                             columns.count));
  }
  refuse(file, fmt::format("no column {}; the file has: {}", quoted(wanted), header.list(wanted)));
}

// The features of a model that knows its columns by name. Other columns may stay; the last of them
// is the label if one is needed and none was named.
void match_names(Columns& columns, std::vector<std::uint32_t> left, const Header& header,
                 const FeatureLayout& expected, bool labelled, const Place& file) {
  for (const std::string& name : expected.names) {
    const auto field = header.find(name);
    if (!field) {
      refuse(file, fmt::format("no column {}, which the model needs; the file has: {}",
                               quoted(name), header.list(name)));
    }
    columns.features.push_back(static_cast<std::uint32_t>(*field));
  }
  if (!labelled || columns.label) return;
  std::vector<std::uint32_t> used = columns.features;
  std::ranges::sort(used);
  std::erase_if(left, [&](std::uint32_t field) { return std::ranges::binary_search(used, field); });
  if (left.empty()) {
    if (expected.label.empty()) refuse(file, "no label: every column is a feature of the model");
    refuse(file, fmt::format("no column {}, which holds the labels; the file has: {}",
                             quoted(expected.label), header.list(expected.label)));
  }
  const auto remembered = header.find(expected.label);
  columns.label =
      remembered && std::ranges::find(left, *remembered) != left.end() ? *remembered : left.back();
}

// Where the columns of the training file are in a file without a header.
class TrainingPlaces {
 public:
  TrainingPlaces(const Columns& columns, const FeatureLayout& expected, bool labelled)
      : label_(parse_integer(expected.label, 1, static_cast<std::int64_t>(most_columns))) {
    const std::vector<std::uint32_t>& fields = expected.fields;  // rising
    const bool known = !fields.empty() && fields.size() == expected.count && fields.front() >= 1 &&
                       fields.back() <= expected.file_columns;
    // Rows to predict often have all columns but the label. Where the model leaves out no other
    // column, they are counted instead.
    const auto width = static_cast<std::int64_t>(expected.file_columns);
    without_label_ = known && !labelled && !columns.label && label_ && *label_ <= width &&
                     !std::ranges::binary_search(fields, *label_) &&
                     columns.count + 1 == expected.file_columns &&
                     expected.file_columns > expected.count + 1;
    same_width_ = known && columns.count == expected.file_columns;
    if (!are_known()) return;
    for (const std::uint32_t number : fields) features_.push_back(*field(number));
  }

  [[nodiscard]] bool are_known() const { return same_width_ || without_label_; }
  [[nodiscard]] bool without_label() const { return without_label_; }
  [[nodiscard]] const std::vector<std::uint32_t>& features() const { return features_; }
  [[nodiscard]] std::optional<std::uint32_t> label() const {
    return label_ ? field(*label_) : std::nullopt;
  }

  // The column that had this number, from 1, in the training file.
  [[nodiscard]] std::optional<std::uint32_t> field(std::int64_t number) const {
    if (without_label_ && number == *label_) return std::nullopt;
    const bool behind_label = without_label_ && number > *label_;
    return static_cast<std::uint32_t>(number - (behind_label ? 2 : 1));
  }

 private:
  std::optional<std::int64_t> label_;  // its number
  bool without_label_ = false;
  bool same_width_ = false;
  std::vector<std::uint32_t> features_;
};

// The model's column of ids, if the file has it and it plays no other part.
std::optional<std::size_t> find_expected_id(const Columns& columns, const Header& header,
                                            const FeatureLayout& expected, bool labelled,
                                            const std::vector<bool>& taken) {
  if (expected.id.empty()) return std::nullopt;
  std::optional<std::size_t> field;
  if (!columns.header.empty()) {
    field = header.find(expected.id);
  } else {
    const TrainingPlaces places(columns, expected, labelled);
    const auto number =
        parse_integer(expected.id, 1, static_cast<std::int64_t>(expected.file_columns));
    const bool fits = places.are_known() &&
                      std::ranges::none_of(places.features(), [&](auto at) { return taken[at]; });
    if (number && fits) field = places.field(*number);
  }
  return field && !taken[*field] ? field : std::nullopt;
}

// In a file as wide as the training file, a feature that was given another part would let all
// others move by one, unless the label has moved too.
void require_places(const Columns& columns, const std::vector<std::uint32_t>& left,
                    const TrainingPlaces& places, const Place& file) {
  if (!places.are_known() || (columns.label && columns.label != places.label())) return;
  for (const std::uint32_t field : places.features()) {
    if (std::ranges::binary_search(left, field)) continue;
    refuse(file, fmt::format("{} cannot be {}: it is a feature of the model, whose training file "
                             "had {} columns{}; if this file has another order, remove the column",
                             columns.describe(field), columns.id == field ? "the id" : "left out",
                             columns.count + (places.without_label() ? 1 : 0),
                             places.without_label() ? " with the label" : " too"));
  }
}

// The features in the places that they had in the training file. False if the file is not like it.
bool match_fields(Columns& columns, const std::vector<std::uint32_t>& left,
                  const TrainingPlaces& places, bool labelled) {
  if (!places.are_known()) return false;
  std::vector<std::uint32_t> features = places.features();
  const auto is_left = [&](std::size_t field) { return std::ranges::binary_search(left, field); };
  if (!std::ranges::all_of(features, is_left)) return false;

  if (!places.without_label() && !columns.label) {
    std::vector<std::uint32_t> used = features;
    std::ranges::sort(used);
    std::vector<std::uint32_t> others;
    std::ranges::set_difference(left, used, std::back_inserter(others));
    const auto label = places.label();
    if (label && std::ranges::binary_search(others, *label)) {
      columns.label = *label;
    } else if (labelled && !others.empty()) {
      columns.label = others.back();
    }
    if (labelled && !columns.label) return false;
  }
  columns.features = std::move(features);
  return true;
}

// Which of the columns left is the label: the one that it was among the features and the label of
// training, if the model knows; else the last.
std::size_t expected_label(const std::vector<std::uint32_t>& left, const FeatureLayout& expected) {
  const auto number = parse_integer(expected.label, 1, static_cast<std::int64_t>(most_columns));
  if (!number) return left.size() - 1;
  if (expected.fields.empty()) {
    const auto at = std::ranges::find(left, static_cast<std::uint32_t>(*number - 1));
    return at != left.end() ? static_cast<std::size_t>(at - left.begin()) : left.size() - 1;
  }
  const auto behind = std::ranges::lower_bound(expected.fields, *number);
  const auto before = behind - expected.fields.begin();
  return std::min(static_cast<std::size_t>(before), left.size() - 1);
}

// The features of a model that knows its columns by position.
void match_positions(Columns& columns, std::vector<std::uint32_t> left,
                     const FeatureLayout& expected, bool labelled, const Place& file) {
  const TrainingPlaces places(columns, expected, labelled);
  require_places(columns, left, places, file);
  if (match_fields(columns, left, places, labelled)) return;
  const bool all = left.size() == columns.count;  // no column was named
  const std::size_t found = left.size();
  // The one column too many may be the label as well as an id that the training file had.
  const bool had_others = expected.file_columns > expected.count + 1;
  if (all && !labelled && had_others && found == expected.count + 1) {
    refuse(file,
           fmt::format("has {} columns and no header, the training file had {}: which of them "
                       "are features cannot be told; add the header, or the other columns",
                       found, expected.file_columns));
  }
  if (!columns.label && (labelled || found == expected.count + 1) && !left.empty()) {
    const std::size_t at = expected_label(left, expected);
    columns.label = left[at];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  }
  if (left.size() != expected.count || (labelled && !columns.label)) {
    const bool no_label = labelled && left.size() < found && found == expected.count;
    refuse(file, fmt::format("has {} {}columns, the model has {} features{}", found,
                             all        ? ""
                             : no_label ? "other "
                                        : "feature ",
                             expected.count,
                             no_label          ? ": the label is missing"
                             : labelled && all ? " and needs a label"
                                               : ""));
  }
  columns.features = std::move(left);
}

std::vector<std::uint32_t> kept_columns(const Columns& columns, const Header& header,
                                        const ReadOptions& options, const Place& file) {
  std::vector<std::uint32_t> kept;
  if (options.keep_all) {
    kept.resize(columns.count);
    std::iota(kept.begin(), kept.end(), std::uint32_t{0});
    return kept;
  }
  for (const std::string& wanted : options.keep) {
    kept.push_back(static_cast<std::uint32_t>(find_column(wanted, columns, header, file)));
  }
  return kept;
}

// The features that were named as categorical, sorted.
std::vector<std::uint32_t> categorical_features(const Columns& columns, const Header& header,
                                                const ReadOptions& options, const Place& file) {
  std::vector<std::uint32_t> found;
  for (const std::string& wanted : options.categorical) {
    const std::size_t field = find_column(wanted, columns, header, file);
    const auto at = std::ranges::lower_bound(columns.features, field);  // they are sorted
    if (at == columns.features.end() || *at != field) {
      refuse(file,
             fmt::format("{} cannot be categorical: it is no feature", columns.describe(field)),
             Setting::categorical);
    }
    found.push_back(static_cast<std::uint32_t>(at - columns.features.begin()));
  }
  std::ranges::sort(found);
  const auto repeated = std::ranges::unique(found);
  found.erase(repeated.begin(), repeated.end());
  return found;
}

}  // namespace

std::string Columns::describe(std::size_t field) const {
  if (header.empty() || header[field].empty()) return fmt::format("column {}", field + 1);
  return fmt::format("column {}", quoted(header[field]));
}

std::string Columns::name_of(const std::optional<std::size_t>& field) const {
  if (!field) return "";
  if (!is_named(*field)) return std::to_string(*field + 1);
  return std::string(header[*field]);
}

std::vector<std::string> Columns::feature_names() const {
  std::vector<std::string> names;
  if (header.empty()) return names;
  names.reserve(features.size());
  for (const std::uint32_t field : features) names.emplace_back(header[field]);
  return names;
}

bool is_header(const Fields& first_row, const ReadOptions& options) {
  if (options.header) return *options.header;
  if (options.expected) {  // a model knows whether its columns have names, and which
    const std::unordered_set<std::string_view> known(options.expected->names.begin(),
                                                     options.expected->names.end());
    for (std::size_t field = 0; field < first_row.size(); ++field) {
      if (known.contains(trimmed(first_row[field]))) return true;
    }
    if (known.empty() && options.expected->file_columns > 0) return false;
  }
  const auto is_number = [](std::string_view field) {
    return parse_number(trimmed(field)).status != NumberStatus::not_a_number;
  };
  std::unordered_set<std::string_view> names;
  // A label such as "1" means the first column, not that the first row holds a 1.
  const auto add = [&](const std::string& wanted) {
    if (!wanted.empty() && !is_number(wanted)) names.insert(wanted);
  };
  for (const std::string* wanted : {&options.label, &options.weight, &options.group, &options.id}) {
    add(*wanted);
  }
  for (const auto* list : {&options.ignore, &options.categorical, &options.keep}) {
    std::ranges::for_each(*list, add);
  }
  bool any_number = false;
  for (std::size_t field = 0; field < first_row.size(); ++field) {
    if (names.contains(first_row[field])) return true;
    any_number = any_number || is_number(first_row[field]);
  }
  return !any_number;
}

Columns plan_columns(const Fields& first_row, const ReadOptions& options, bool labelled,
                     const Place& file) {
  Columns columns;
  columns.count = first_row.size();
  if (is_header(first_row, options)) columns.header = first_row;
  for (std::size_t field = 0; field < columns.header.size(); ++field) {
    if (!is_utf8(columns.header[field])) {
      refuse(file, fmt::format("the column name {} is not UTF-8; convert the file (iconv)",
                               quoted(columns.header[field])));
    }
  }
  const Header header(columns.header, file);

  std::vector<bool> taken(columns.count, false);
  const auto take = [&](const std::string& wanted, std::string_view part) {
    const std::size_t field = find_column(wanted, columns, header, file);
    if (taken[field]) {
      refuse(file, fmt::format("{} cannot be the {}: it has another part already",
                               columns.describe(field), part));
    }
    taken[field] = true;
    return field;
  };
  if (!options.label.empty()) columns.label = take(options.label, "label");
  if (!options.weight.empty()) columns.weight = take(options.weight, "weight");
  if (!options.group.empty()) columns.group = take(options.group, "group");
  if (!options.id.empty()) columns.id = take(options.id, "id");
  for (const std::string& wanted : options.ignore) {
    const std::size_t field = find_column(wanted, columns, header, file);
    if (field == columns.label || field == columns.weight || field == columns.group ||
        field == columns.id) {
      take(wanted, "column left out");
    }
    taken[field] = true;
  }
  if (options.expected && options.id.empty()) {
    columns.id = find_expected_id(columns, header, *options.expected, labelled, taken);
    if (columns.id) taken[*columns.id] = true;
  }
  columns.kept = kept_columns(columns, header, options, file);
  std::vector<std::uint32_t> left;
  left.reserve(columns.count);
  for (std::uint32_t field = 0; field < columns.count; ++field) {
    if (!taken[field]) left.push_back(field);
  }

  if (options.expected) {
    const bool by_name = !options.expected->names.empty() && !columns.header.empty();
    if (by_name) {
      match_names(columns, std::move(left), header, *options.expected, labelled, file);
    } else {
      match_positions(columns, std::move(left), *options.expected, labelled, file);
    }
    return columns;
  }

  if (!columns.label && !left.empty()) {
    columns.label = left.back();
    taken[left.back()] = true;
    left.pop_back();
  }
  if (left.empty() || !columns.label) refuse(file, "no features");
  columns.features = std::move(left);
  // A model finds its features by name.
  if (const auto name = header.duplicate(taken)) header.refuse_twice(*name);
  columns.categorical = categorical_features(columns, header, options, file);
  return columns;
}

}  // namespace rampart
