#include "render/answer_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "evaluate/original_columns.hpp"
#include "render/output.hpp"
#include "render/reasons.hpp"

namespace rampart::tool {

AnswerSheet::AnswerSheet(const Model& model, const RowStream& rows, AnswerSheetOptions options)
    : model_(model),
      options_(std::move(options)),
      id_(rows.id_name()),
      kept_(rows.kept_names()),
      names_{model.class_names().negative, options_.reject_label, model.class_names().positive},
      fields_{field(names_[0]), field(names_[1]), field(names_[2])} {
  // The id is the first column already; a file with a name used twice is hard to read again.
  for (std::size_t place = 0; place < kept_.size(); ++place) {
    if (id_.empty() || kept_[place] != id_) shown_.push_back(place);
  }
  if (!options_.as_json) text_ = header();
}

std::string AnswerSheet::field(const std::string& text) const {
  return options_.csv_safe ? spreadsheet_field(text) : csv_field(text);
}

std::string AnswerSheet::header() const {
  std::string text = (id_.empty() ? "row" : field(id_)) + ",prediction,score,reason";
  std::set<std::string> taken = {id_.empty() ? "row" : id_, "prediction", "score", "reason"};
  for (const std::size_t place : shown_) {
    std::string name = kept_[place];
    while (!taken.insert(name).second)
      name += " (data)";  // a name used twice is hard to read again
    text += ',' + field(name);
  }
  return text + '\n';
}

void AnswerSheet::add(const Answer& answer, const RowBatch& batch, std::size_t n) {
  ++rows_;
  ++counts_[index_of(answer.decision)];
  if (answer.reason != Reason::none) ++reasons_[answer.reason];
  const std::string detail = detail_of_row(answer, batch, n);
  const bool is_case = options_.keeps_worklist && answer.decision == Decision::reject;
  if (options_.as_json) add_to_json(answer, batch, n, detail);
  if (options_.as_json && !is_case) return;
  std::string written = line(answer, batch, n, detail);
  if (!options_.as_json) text_ += written;
  if (!is_case) return;
  cases_.push_back(
      {std::move(written), answer.reason == Reason::ambiguous, std::abs(answer.score_or(0))});
}

std::string AnswerSheet::detail_of_row(const Answer& answer, const RowBatch& batch,
                                       std::size_t n) const {
  if (answer.reason == Reason::none || answer.reason == Reason::ambiguous) return "";
  return detail_of(answer, model_, value_of(batch.x, n, answer.column),
                   batch.unseen.empty() ? "" : batch.unseen[n],
                   batch.faults.empty() ? "" : batch.faults[n]);
}

std::string AnswerSheet::line(const Answer& answer, const RowBatch& batch, std::size_t n,
                              const std::string& detail) const {
  std::string text = batch.ids.empty() ? fmt::format_int(rows_).str() : field(batch.ids[n]);
  text += ',';
  text += fields_[index_of(answer.decision)];
  text += ',';
  if (!std::isnan(answer.score)) text += number(answer.score);
  text += ',';
  if (answer.reason != Reason::none) text += field(reason_and_detail(answer.reason, detail));
  if (!batch.kept.empty()) {
    for (const std::size_t place : shown_) text += ',' + field(batch.kept[n][place]);
  }
  return text + '\n';
}

std::vector<std::string> AnswerSheet::shown_of(const std::vector<std::string>& cells) const {
  std::vector<std::string> found;
  for (const std::size_t place : shown_) found.push_back(cells[place]);
  return found;
}

void AnswerSheet::add_to_json(const Answer& answer, const RowBatch& batch, std::size_t n,
                              const std::string& detail) {
  if (!batch.ids.empty()) all_["ids"].push_back(batch.ids[n]);
  if (!batch.kept.empty()) all_["kept"].push_back(shown_of(batch.kept[n]));
  all_["predictions"].push_back(names_[index_of(answer.decision)]);
  all_["scores"].push_back(std::isnan(answer.score) ? Json(nullptr) : Json(answer.score));
  all_["reasons"].push_back(to_string(answer.reason));
  all_["details"].push_back(detail);
}

std::string AnswerSheet::take_text() { return std::exchange(text_, {}); }

std::string AnswerSheet::worklist() {
  std::ranges::stable_sort(cases_, [](const Case& a, const Case& b) {
    return std::pair(a.ambiguous, a.certainty) < std::pair(b.ambiguous, b.certainty);
  });
  std::string text = header();
  for (const Case& one : cases_) text += one.line;
  return text;
}

std::string AnswerSheet::rejections_in_words() const {
  std::size_t total = 0;
  std::string list;
  for (const auto& [reason, rows] : reasons_) {
    if (reason == Reason::ambiguous) continue;
    total += rows;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", rows, to_string(reason));
  }
  if (total == 0) return "";
  return fmt::format("{} of {} rows rejected whatever their score: {}", total, rows_, list);
}

Json AnswerSheet::json() const {
  Json json{{"rows", rows_},
            {"answered", rows_ - counts_[index_of(Decision::reject)]},
            {"rejected", Json::object()},
            {"classes", {{names_[0], counts_[0]}, {names_[2], counts_[2]}}}};
  for (const auto& [reason, rows] : reasons_) json["rejected"][to_string(reason)] = rows;
  if (!options_.as_json) return json;
  if (!id_.empty()) json["id"] = id_;
  if (!kept_.empty()) json["kept_columns"] = shown_of(kept_);
  json.update(all_);
  return json;
}

}  // namespace rampart::tool
