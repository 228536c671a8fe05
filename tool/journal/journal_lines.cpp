#include "journal/journal_lines.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <set>
#include <tuple>

#include "evaluate/risk_coverage.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {
namespace {

using AnyJson =
    nlohmann::json;  // finds a key among many fast, unlike Json, which keeps their order

constexpr const char* format = "rampart-tune-journal";
constexpr int version = 3;

/// A line after the first. Throws InputError that names the key which is missing or wrong.
class Line {
 public:
  explicit Line(const AnyJson& json) : json_(json) {
    if (!json.is_object()) throw InputError("it is no JSON object");
  }

  /// A whole number up to `most`.
  [[nodiscard]] std::size_t count(const char* key, std::size_t most) const {
    const AnyJson& value = at(key);
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > most) fail(key);
    return value.get<std::size_t>();
  }

  [[nodiscard]] double number(const char* key, double least, double most) const {
    const AnyJson& value = at(key);
    if (!value.is_number()) fail(key);
    const double found = value.get<double>();
    if (!std::isfinite(found) || found < least || found > most) fail(key);
    return found;
  }
  [[nodiscard]] double number(const char* key) const { return number(key, -HUGE_VAL, HUGE_VAL); }

  /// The answers to the rows of a fold.
  [[nodiscard]] decltype(Metrics::table) table(const char* key, const FoldRows& rows) const {
    const AnyJson& value = at(key);
    decltype(Metrics::table) table{};
    if (!value.is_array() || value.size() != table.size()) fail(key);
    for (std::size_t c = 0; c < table.size(); ++c) {
      if (!value[c].is_array() || value[c].size() != table[c].size()) fail(key);
      std::size_t left = rows.test[c];
      for (std::size_t decision = 0; decision < table[c].size(); ++decision) {
        const AnyJson& cell = value[c][decision];
        if (!cell.is_number_unsigned() || cell.get<std::uint64_t>() > left) fail(key);
        table[c][decision] = cell.get<std::size_t>();
        left -= table[c][decision];
      }
      if (left > 0) fail(key);
    }
    return table;
  }

  /// Absent where rows have no weights.
  [[nodiscard]] std::optional<WeightedTable> weighted_table(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) return std::nullopt;
    WeightedTable made;
    if (!found->is_array() || found->size() != made.table.size()) fail(key);
    for (std::size_t c = 0; c < made.table.size(); ++c) {
      const AnyJson& row = (*found)[c];
      if (!row.is_array() || row.size() != made.table[c].size()) fail(key);
      for (std::size_t a = 0; a < row.size(); ++a) {
        if (!row[a].is_number() || !(row[a].get<double>() >= 0)) fail(key);
        made.table[c][a] = row[a].get<double>();
      }
    }
    return made;
  }

  [[nodiscard]] TrainStatus status(const char* key) const {
    const AnyJson& value = at(key);
    const auto status =
        value.is_string() ? value_of<TrainStatus>(value.get<std::string>()) : std::nullopt;
    if (!status) fail(key);
    return *status;
  }

 private:
  [[nodiscard]] const AnyJson& at(const char* key) const {
    const auto found = json_.find(key);
    if (found == json_.end()) throw InputError(fmt::format("'{}' is missing", key));
    return *found;
  }
  [[noreturn]] static void fail(const char* key) {
    throw InputError(fmt::format("'{}' is impossible", key));
  }

  const AnyJson& json_;
};

JournalEntry entry_from(const AnyJson& json, const JournalPlan& plan) {
  const Line line(json);
  JournalEntry entry{.part = line.count("part", plan.parts - 1), .result = {}};
  FoldResult& result = entry.result;
  result.method = line.count("method", plan.points - 1);
  result.repeat = line.count("repeat", plan.repeats - 1);
  result.fold = line.count("fold", plan.folds - 1);
  const FoldRows rows = plan.rows_of(entry.part, result.repeat, result.fold);
  result.metrics.table = line.table("table", rows);
  result.weighted = line.weighted_table("weighted");
  result.without_band.table = line.table("without_band", rows);
  result.aurc = line.number("aurc", 0, 1);
  result.training_rows = line.count("training_rows", rows.training);
  if (result.training_rows != rows.training) throw InputError("'training_rows' is impossible");
  result.b = line.number("b");
  result.rho = line.number("rho", 0, HUGE_VAL);
  result.objective = line.number("objective");
  result.rounds = line.count("rounds", plan.max_rounds);
  result.support_vectors = line.count("support_vectors", rows.training);
  if (result.rounds == 0) throw InputError("'rounds' is impossible");
  result.status = line.status("status");
  return entry;
}

/// Throws InputError unless the first line of a journal says that it is one of this problem.
void require_problem(const AnyJson& json, const Json& problem, const std::string& name) {
  if (!json.is_object() || json.value("format", AnyJson()) != format) {
    throw InputError(fmt::format("{}: not a journal of rampart", name));
  }
  if (json != AnyJson::parse(first_line(problem))) {
    throw InputError(fmt::format(
        "{}: the journal of another run (other data, options or version); take another name, "
        "or remove it to begin anew",
        name));
  }
}

}  // namespace

std::string first_line(const Json& problem) {
  return Json{{"format", format}, {"version", version}, {"problem", problem}}.dump() + "\n";
}

std::string line_of(const JournalEntry& entry) {
  const FoldResult& result = entry.result;
  Json json{{"part", entry.part},
            {"method", result.method},
            {"repeat", result.repeat},
            {"fold", result.fold},
            {"table", result.metrics.table},
            {"without_band", result.without_band.table},
            {"aurc", result.aurc},
            {"training_rows", result.training_rows},
            {"b", result.b},
            {"rho", result.rho},
            {"objective", result.objective},
            {"rounds", result.rounds},
            {"support_vectors", result.support_vectors},
            {"status", to_string(result.status)}};
  if (result.weighted) json["weighted"] = result.weighted->table;
  return json.dump() + "\n";
}

JournalText parse_journal(std::string_view text, const std::string& name, const JournalPlan& plan) {
  JournalText journal;
  std::set<std::tuple<std::size_t, std::size_t, std::size_t, std::size_t>> listed;
  for (std::size_t line = 1;; ++line) {
    const std::size_t end = text.find('\n', journal.bytes);
    if (end == text.npos) break;  // cut short, or the end
    const std::string_view whole = text.substr(journal.bytes, end - journal.bytes);
    const AnyJson json = AnyJson::parse(whole.begin(), whole.end(), nullptr, false);
    if (line == 1) {
      require_problem(json, plan.problem, name);
    } else {
      try {
        const JournalEntry& entry = journal.entries.emplace_back(entry_from(json, plan));
        const FoldResult& result = entry.result;
        if (!listed.emplace(entry.part, result.method, result.repeat, result.fold).second) {
          throw InputError("the training is listed before");
        }
      } catch (const Error& error) {
        throw InputError(
            fmt::format("{}:{}: not a line of a journal: {}; remove the file to begin "
                        "anew",
                        name, line, error.what()));
      }
    }
    journal.bytes = end + 1;
  }
  if (journal.bytes == 0 && !first_line(plan.problem).starts_with(text)) {
    throw InputError(fmt::format("{}: not a journal of rampart", name));
  }
  return journal;
}

}  // namespace rampart::tool
