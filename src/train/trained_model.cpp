#include "train/trained_model.hpp"

#include "data/classes.hpp"

namespace rampart {

Model model_of_rows(const Problem& data, const TrainingRows& rows) {
  return {.features = layout_of(data),
          .encoding = rows.encoding,
          .scaling = rows.scaling,
          .classes = labels_of(data.classes),
          .kernel = rows.kernel,
          .familiar = rows.familiar};
}

Certificate certificate_of(const TrainReport& report, std::size_t rows) {
  Certificate certificate{.rows = rows,
                          .objective = report.objective,
                          .gap = report.gap,
                          .violation = report.violation,
                          .rounds = report.history.size(),
                          .status = report.status};
  for (const Round& round : report.history) certificate.history.push_back(round.objective);
  return certificate;
}

}  // namespace rampart
