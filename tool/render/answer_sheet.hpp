#pragma once

#include <array>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "faces/results_json.hpp"
#include "rampart/io.hpp"
#include "rampart/model.hpp"

namespace rampart::tool {

struct AnswerSheetOptions {
  bool as_json = false;  ///< the rows go into json() instead of text()
  std::string reject_label;
  bool csv_safe = false;        ///< no text is a formula in a spreadsheet
  bool keeps_worklist = false;  ///< in memory, until the end
};

/// What `predict` writes: a line for each row, counts of the answers, the worklist.
class AnswerSheet {
 public:
  /// Model and rows must outlive it.
  AnswerSheet(const Model& model, const RowStream& rows, AnswerSheetOptions options);

  /// Adds the answers to a batch of rows.
  void add(std::span<const Answer> answers, const RowBatch& batch, unsigned threads);

  [[nodiscard]] std::size_t rows() const { return rows_; }

  /// What the reason of an answer is about.
  [[nodiscard]] std::string detail_of_row(const Answer& answer, const RowBatch& batch,
                                          std::size_t n) const;

  /// The lines since forget_text(), the header before the first. Empty for JSON.
  [[nodiscard]] const std::string& text() const { return text_; }
  void forget_text() { text_.clear(); }

  /// The rejected rows: first those with a reason of their own, then the least certain.
  [[nodiscard]] std::string worklist();

  /// "3 of 10 rows rejected whatever their score: 2 incomplete, 1 unreadable"; empty if none was.
  [[nodiscard]] std::string rejections_in_words() const;

  /// The counts; for JSON all rows too.
  [[nodiscard]] Json json() const;

 private:
  struct Case {
    std::string line;
    bool ambiguous;
    double certainty;  // |f|
  };

  [[nodiscard]] std::string field(const std::string& text) const;
  [[nodiscard]] std::string header() const;
  void append_lines(std::span<const Answer> answers, const RowBatch& batch, std::size_t before,
                    unsigned threads);
  void append_plain_lines(std::string& text, std::span<const Answer> answers, const RowBatch& batch,
                          std::size_t begin, std::size_t end, std::size_t before) const;
  void append_line(std::string& text, const Answer& answer, const RowBatch& batch, std::size_t n,
                   std::size_t row) const;
  [[nodiscard]] std::map<Reason, std::size_t> reasons() const;
  [[nodiscard]] std::vector<std::string> shown_of(const std::vector<std::string>& cells) const;
  void add_to_json(const Answer& answer, const RowBatch& batch, std::size_t n);

  const Model& model_;
  AnswerSheetOptions options_;
  std::string id_;
  std::vector<std::string> kept_;
  std::vector<std::size_t> shown_;     // places in kept_
  std::array<std::string, 3> names_;   // of the decisions
  std::array<std::string, 3> fields_;  // the same as CSV
  std::string ambiguous_;              // the reason as CSV
  std::string text_;
  std::size_t rows_ = 0;
  std::array<std::size_t, 3> counts_{};
  std::array<std::size_t, 8> reasons_{};  // by Reason
  std::vector<Case> cases_;
  Json all_ = Json::object();  // of every row
};

}  // namespace rampart::tool
