#include "render/answer_sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "evaluate/original_columns.hpp"
#include "faces/reasons.hpp"
#include "render/output.hpp"
#include "util/number.hpp"
#include "util/parallel.hpp"

namespace rampart::tool {

AnswerSheet::AnswerSheet(const Model& model, const RowStream& rows, AnswerSheetOptions options)
    : model_(model),
      options_(std::move(options)),
      id_(rows.id_name()),
      kept_(rows.kept_names()),
      names_{model.class_names().negative, options_.reject_label, model.class_names().positive},
      fields_{field(names_[0]), field(names_[1]), field(names_[2])},
      ambiguous_(field(reason_and_detail(Reason::ambiguous, ""))) {
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

void AnswerSheet::add(std::span<const Answer> answers, const RowBatch& batch, unsigned threads) {
  const std::size_t before = rows_;
  rows_ += answers.size();
  for (const Answer& answer : answers) {
    ++counts_[index_of(answer.decision)];
    ++reasons_[static_cast<std::size_t>(answer.reason)];
  }
  if (!options_.as_json) append_lines(answers, batch, before, threads);
  if (!options_.as_json && !options_.keeps_worklist) return;
  for (std::size_t n = 0; n < answers.size(); ++n) {
    const Answer& answer = answers[n];
    if (options_.as_json) add_to_json(answer, batch, n);
    if (!options_.keeps_worklist || answer.decision != Decision::reject) continue;
    cases_.push_back({"", answer.reason == Reason::ambiguous, std::abs(answer.score_or(0))});
    append_line(cases_.back().line, answer, batch, n, before + n + 1);
  }
}

/// Blocks of lines are written side by side, and put together in their order.
void AnswerSheet::append_lines(std::span<const Answer> answers, const RowBatch& batch,
                               std::size_t before, unsigned threads) {
  constexpr std::size_t rows_per_task = 1024;
  blocks_in_order(
      answers.size(), rows_per_task, answers.size() > rows_per_task ? threads : 1,
      [&](std::size_t begin, std::size_t end) {
        std::string lines;
        if (batch.ids.empty() && batch.kept.empty()) {
          append_plain_lines(lines, answers, batch, begin, end, before);
        } else {
          for (std::size_t n = begin; n < end; ++n) {
            append_line(lines, answers[n], batch, n, before + n + 1);
          }
        }
        return lines;
      },
      [&](const std::string& lines) { text_ += lines; });
}

// Lines without texts of the data, but for a reason now and then: all but numbers is copied.
void AnswerSheet::append_plain_lines(std::string& text, std::span<const Answer> answers,
                                     const RowBatch& batch, std::size_t begin, std::size_t end,
                                     std::size_t before) const {
  const std::array<std::string, 3> middle = {',' + fields_[0] + ',', ',' + fields_[1] + ',',
                                             ',' + fields_[2] + ','};
  const std::string ambiguous = ',' + ambiguous_ + '\n';
  const std::size_t longest = 20 +
                              std::max({middle[0].size(), middle[1].size(), middle[2].size()}) +
                              longest_number + ambiguous.size();
  std::vector<char> line(longest);
  text.reserve(text.size() + (end - begin) * longest);
  for (std::size_t n = begin; n < end; ++n) {
    const Answer& answer = answers[n];
    if (answer.reason != Reason::none && answer.reason != Reason::ambiguous) {
      append_line(text, answer, batch, n, before + n + 1);
      continue;
    }
    const fmt::format_int row(before + n + 1);
    char* to = std::copy_n(row.data(), row.size(), line.data());
    to = std::ranges::copy(middle[index_of(answer.decision)], to).out;
    if (!std::isnan(answer.score)) to = write_number(to, answer.score);
    if (answer.reason == Reason::none) {
      *to++ = ',';
      *to++ = '\n';
    } else {
      to = std::ranges::copy(ambiguous, to).out;
    }
    text.append(line.data(), to);
  }
}

std::string AnswerSheet::detail_of_row(const Answer& answer, const RowBatch& batch,
                                       std::size_t n) const {
  if (answer.reason == Reason::none || answer.reason == Reason::ambiguous) return "";
  return detail_of(answer, model_, value_of(batch.x, n, answer.column),
                   batch.unseen.empty() ? "" : batch.unseen[n],
                   batch.faults.empty() ? "" : batch.faults[n]);
}

void AnswerSheet::append_line(std::string& text, const Answer& answer, const RowBatch& batch,
                              std::size_t n, std::size_t row) const {
  if (batch.ids.empty()) {
    const fmt::format_int digits(row);
    text.append(digits.data(), digits.size());
  } else {
    text += field(batch.ids[n]);
  }
  text += ',';
  text += fields_[index_of(answer.decision)];
  text += ',';
  if (!std::isnan(answer.score)) append_number(text, answer.score);
  text += ',';
  if (answer.reason == Reason::ambiguous) {
    text += ambiguous_;
  } else if (answer.reason != Reason::none) {
    text += field(reason_and_detail(answer.reason, detail_of_row(answer, batch, n)));
  }
  if (!batch.kept.empty()) {
    for (const std::size_t place : shown_) {
      text += ',';
      text += field(batch.kept[n][place]);
    }
  }
  text += '\n';
}

std::map<Reason, std::size_t> AnswerSheet::reasons() const {
  std::map<Reason, std::size_t> found;
  for (std::size_t k = 0; k < reasons_.size(); ++k) {
    const auto reason = static_cast<Reason>(k);
    if (reason != Reason::none && reasons_[k] > 0) found[reason] = reasons_[k];
  }
  return found;
}

std::vector<std::string> AnswerSheet::shown_of(const std::vector<std::string>& cells) const {
  std::vector<std::string> found;
  for (const std::size_t place : shown_) found.push_back(cells[place]);
  return found;
}

void AnswerSheet::add_to_json(const Answer& answer, const RowBatch& batch, std::size_t n) {
  if (!batch.ids.empty()) all_["ids"].push_back(batch.ids[n]);
  if (!batch.kept.empty()) all_["kept"].push_back(shown_of(batch.kept[n]));
  all_["predictions"].push_back(names_[index_of(answer.decision)]);
  all_["scores"].push_back(std::isnan(answer.score) ? Json(nullptr) : Json(answer.score));
  all_["reasons"].push_back(to_string(answer.reason));
  all_["details"].push_back(detail_of_row(answer, batch, n));
}

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
  for (const auto& [reason, rows] : reasons()) {
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
  for (const auto& [reason, rows] : reasons()) json["rejected"][to_string(reason)] = rows;
  if (!options_.as_json) return json;
  if (!id_.empty()) json["id"] = id_;
  if (!kept_.empty()) json["kept_columns"] = shown_of(kept_);
  json.update(all_);
  return json;
}

}  // namespace rampart::tool
