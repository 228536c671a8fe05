#include <algorithm>
#include <cstring>
#include <string_view>

#include "c/handles.hpp"
#include "faces/reasons.hpp"
#include "faces/results_json.hpp"

using namespace rampart;
using namespace rampart::c;

namespace {

constexpr unsigned most_leniency = RAMPART_IMPUTE | RAMPART_IGNORE_UNSEEN;

Leniency leniency_of(unsigned flags) {
  if (flags > most_leniency)
    throw BadCall("leniency: RAMPART_IMPUTE, RAMPART_IGNORE_UNSEEN, or both");
  return {.impute = (flags & RAMPART_IMPUTE) != 0,
          .ignore_unseen = (flags & RAMPART_IGNORE_UNSEEN) != 0};
}

Json layout_json(const Model& model) {
  Json json{{"names", model.features.names}, {"categories", model.features.categories}};
  Json misses = Json::array();
  for (const Encoding::Column& column : model.encoding.columns) misses.push_back(column.misses);
  json["misses"] = std::move(misses);
  return json;
}

/// The parameters of a kernel that it has.
Json kernel_json(const Kernel& kernel) {
  return std::visit(
      [](const auto& one) {
        Json json = Json::object();
        if constexpr (requires { one.gamma; }) json["gamma"] = one.gamma;
        if constexpr (requires { one.coef0; }) json["coef0"] = one.coef0;
        if constexpr (requires { one.degree; }) json["degree"] = one.degree;
        return json;
      },
      kernel);
}

Json json_of(const Model& model) {
  Json json = model_summary_json(model);
  const Surface& surface = model.surface();
  json["costs"] = to_json(surface.costs());
  json["kernel_options"] = kernel_json(model.kernel);
  json["columns"] = layout_json(model);
  json["sparse_vectors"] = !model.vectors.is_dense();
  json["vector_columns"] = model.vectors.columns();
  json["history"] = surface.certificate.history;
  json["encoded"] = !model.encoding.is_identity();
  return json;
}

struct Numbers {
  const double* values;
  std::size_t count;
};

Numbers stored(const Rows& rows) {
  if (rows.stored_values() == 0) return {nullptr, 0};
  const double* const first =
      rows.is_dense() ? rows.dense_row(0).data() : rows.sparse_row(0).values.data();
  return {first, rows.stored_values()};
}

Numbers numbers_of(const Model& model, std::string_view name) {
  const auto all = [](const std::vector<double>& values) {
    return Numbers{values.data(), values.size()};
  };
  if (name == "weights") return all(model.surface().weights);
  if (name == "coefficients") return all(model.surface().coefficients);
  if (name == "offset") return all(model.scaling.offset);
  if (name == "factor") return all(model.scaling.factor);
  if (name == "vectors") return stored(model.vectors);
  throw BadCall(
      "name: a model has \"weights\", \"coefficients\", \"vectors\", \"offset\", \"factor\"");
}

std::string reason_in_words(const Model& model, RowsView x, const Answer& answer) {
  if (answer.reason == Reason::none) return "";
  double value = 0;  // what a sparse row leaves out
  x.for_each(0, [&](std::size_t j, double at) {
    if (j == answer.column) value = at;
  });
  return reason_and_detail(answer.reason, detail_of(answer, model, value, "", ""));
}

bool is_about_a_column(Reason reason) {
  return reason == Reason::unfamiliar || reason == Reason::incomplete || reason == Reason::unseen;
}

}  // namespace

rampart_model::rampart_model(Model given, unsigned threads)
    : model(std::move(given)), predictor(model, threads), json(text_of(json_of(model))) {
  const Rows& vectors = model.vectors;
  if (vectors.is_dense()) return;
  starts.push_back(0);
  for (std::size_t n = 0; n < vectors.size(); ++n) {
    const Rows::Sparse row = vectors.sparse_row(n);
    starts.push_back(starts.back() + static_cast<std::int64_t>(row.values.size()));
    indices.insert(indices.end(), row.indices.begin(), row.indices.end());
  }
}

const std::string& rampart_model::bytes() const {
  {
    const std::lock_guard lock(guard_);
    if (bytes_) return *bytes_;
  }
  // Not under the lock: a process that is forked meanwhile would find it taken for ever.
  std::string made = to_json(model);
  const std::lock_guard lock(guard_);
  if (!bytes_) bytes_ = std::move(made);
  return *bytes_;
}

rampart_code rampart_model_load(const void* bytes, size_t size, unsigned threads,
                                rampart_model** model, rampart_error** error) {
  return make_handle(model, error, [&] {
    const char* const text = &required(static_cast<const char*>(bytes), "bytes");
    return std::make_unique<rampart_model>(model_from_json({text, size}, "the model"), threads);
  });
}

rampart_code rampart_model_bytes(const rampart_model* model, const char** bytes, size_t* size,
                                 rampart_error** error) {
  return guarded(error, [&] {
    const std::string& text = object_of(model, "model").bytes();
    hand_out(text.c_str(), text.size(), bytes, size);
  });
}

const char* rampart_model_json(const rampart_model* model) {
  return model != nullptr && model->mark == rampart_model::own_mark ? model->json.c_str() : nullptr;
}

rampart_code rampart_model_numbers(const rampart_model* model, const char* name,
                                   const double** values, size_t* count, rampart_error** error) {
  return guarded(error, [&] {
    const Numbers found = numbers_of(object_of(model, "model").model, &required(name, "name"));
    hand_out(found.values, found.count, values, count);
  });
}

rampart_code rampart_model_whole_numbers(const rampart_model* model, const char* name,
                                         const int64_t** values, size_t* count,
                                         rampart_error** error) {
  return guarded(error, [&] {
    const rampart_model& object = object_of(model, "model");
    const std::string_view wanted = &required(name, "name");
    if (wanted != "starts" && wanted != "indices") {
      throw BadCall("name: a model has \"starts\" and \"indices\"");
    }
    const std::vector<std::int64_t>& found = wanted == "starts" ? object.starts : object.indices;
    hand_out(found.data(), found.size(), values, count);
  });
}

rampart_code rampart_model_scores(const rampart_model* model, const rampart_data* data,
                                  double* scores, rampart_error** error) {
  return guarded(error, [&] {
    const rampart_model& object = object_of(model, "model");
    const rampart_data& rows = object_of(data, "data");
    if (rows.rows() == 0) return;
    required(scores, "scores");
    std::optional<Rows> own;
    const std::vector<double> found = object.predictor.scores(rows_for(object.model, rows, own));
    std::ranges::copy(found, scores);
  });
}

rampart_code rampart_model_answers(const rampart_model* model, const rampart_data* data,
                                   unsigned leniency, int8_t* decisions, int8_t* reasons,
                                   int64_t* columns, double* scores, rampart_error** error) {
  return guarded(error, [&] {
    const rampart_model& object = object_of(model, "model");
    const rampart_data& rows = object_of(data, "data");
    std::optional<Rows> own;
    const std::vector<Answer> answers =
        object.predictor.answers(rows_for(object.model, rows, own), leniency_of(leniency));
    for (std::size_t n = 0; n < answers.size(); ++n) {
      const Answer& answer = answers[n];
      if (decisions != nullptr) decisions[n] = static_cast<std::int8_t>(answer.decision);
      if (reasons != nullptr) reasons[n] = static_cast<std::int8_t>(answer.reason);
      if (columns != nullptr) columns[n] = is_about_a_column(answer.reason) ? answer.column : -1;
      if (scores != nullptr) scores[n] = answer.score;
    }
  });
}

rampart_code rampart_model_reason(const rampart_model* model, const rampart_data* data, size_t row,
                                  unsigned leniency, char* text, size_t size, size_t* needed,
                                  rampart_error** error) {
  return guarded(error, [&] {
    const rampart_model& object = object_of(model, "model");
    const rampart_data& rows = object_of(data, "data");
    if (row >= rows.rows()) throw BadCall("row: the data have no such row");
    if (size > 0) required(text, "text");
    std::optional<Rows> own;
    const RowsView x = rows_for(object.model, rows, own).range(row, row + 1);
    const Answer answer = object.predictor.answers(x, leniency_of(leniency)).front();
    const std::string words = reason_in_words(object.model, x, answer);
    if (needed != nullptr) *needed = words.size() + 1;
    if (size == 0) return;
    const std::size_t written = std::min(size - 1, words.size());
    std::memcpy(text, words.data(), written);
    text[written] = '\0';
  });
}

void rampart_model_free(rampart_model** model) { free_handle(model); }
