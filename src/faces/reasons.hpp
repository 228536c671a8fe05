#pragma once

#include <string>

#include "rampart/model.hpp"

namespace rampart {

/// What a message calls a column of the model: "column 'age'" or "column 3".
[[nodiscard]] std::string column_in_words(const FeatureLayout& columns, std::size_t column);

/// What a reason is about: "column 'age': no value". Empty for an answer, and inside the band.
/// `value` is the cell that the reason is about, as the model reads it; `unseen` is the text of the
/// cell whose category is unseen, `fault` why the row could not be read.
[[nodiscard]] std::string detail_of(const Answer& answer, const Model& model, double value,
                                    const std::string& unseen, const std::string& fault);

/// "unseen: column 'sex' is 'F'"; the reason alone if there is no more to say.
[[nodiscard]] std::string reason_and_detail(Reason reason, const std::string& detail);

}  // namespace rampart
