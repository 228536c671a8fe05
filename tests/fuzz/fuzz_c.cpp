// Whatever a program passes to the C API, it gets an answer or an error: no crash, no hang, no
// endless allocation. The bytes are taken as the choices that make up the calls: options and their
// texts, sizes, values, and a model's bytes with some of them changed.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "rampart/c.h"

namespace {

class Choices {
 public:
  Choices(const std::uint8_t* data, std::size_t size) : left_(data, size) {}

  std::size_t below(std::size_t limit) {
    if (left_.empty()) return 0;
    const std::size_t value = left_.front();
    left_ = left_.subspan(1);
    return value % limit;
  }

  double number() {
    constexpr double special[] = {0,    1,     -1,    0.5,      1e-300,   1e300,
                                  -1e9, 1e-20, 12345, INFINITY, -INFINITY};
    const std::size_t kind = below(64);
    if (kind < std::size(special)) return special[kind];
    if (kind == 20) return std::nan("");
    return static_cast<double>(below(256)) / 32 - 4;
  }

  std::string text() {
    constexpr const char* texts[] = {
        "0",      "1",      "0.1",      "-1",         "1e308",      "nan",         "inf",
        "",       "linear", "rbf",      "balanced",   "a=2",        "no",          "yes",
        "2,3",    "1:3:1",  "hinge",    "sigmoid",    "1,1,.2,.2",  "double-ramp", "drop",
        "refuse", "median", "standard", "none",       "minmax",     "smo",         "scale",
        "auto",   "3",      "10",       "polynomial", "precomputed"};
    if (below(8) > 0) return texts[below(std::size(texts))];
    std::string made;
    for (std::size_t count = below(12); count > 0; --count) {
      made += static_cast<char>(below(256));
    }
    return made;
  }

 private:
  std::span<const std::uint8_t> left_;
};

/// A call that failed says why; one that did not says nothing.
void check(rampart_code code, rampart_error** error) {
  const bool told = *rampart_error_message(*error) != '\0';
  if (told == (code == RAMPART_OK) || code == RAMPART_BROKEN) {
    std::fprintf(stderr, "code %d with message '%s'\n", static_cast<int>(code),
                 rampart_error_message(*error));
    std::abort();
  }
  rampart_error_free(error);
}

struct Rows {
  std::size_t rows, columns;
  std::vector<double> doubles;
  std::vector<float> floats;
  std::vector<std::int32_t> starts, indices;
  std::vector<std::int8_t> labels;
  std::vector<double> weights;
  rampart_data* data = nullptr;

  explicit Rows(Choices& choose) : rows(choose.below(12)), columns(1 + choose.below(4)) {
    rampart_error* error = nullptr;
    for (std::size_t k = 0; k < rows * columns; ++k) doubles.push_back(choose.number());
    for (std::size_t n = 0; n < rows; ++n) {
      labels.push_back(n % 2 == 0 ? 1 : -1);
      weights.push_back(choose.below(4) == 0 ? choose.number() : 1);
    }
    const auto p = static_cast<std::ptrdiff_t>(columns);
    const auto r = static_cast<std::ptrdiff_t>(rows);
    switch (choose.below(4)) {
      case 0:
        floats.assign(doubles.size(), 0);
        std::ranges::transform(doubles, floats.begin(), [](double value) {
          return static_cast<float>(std::clamp(value, -1e30, 1e30));
        });
        check(
            rampart_data_dense(floats.data(), RAMPART_FLOAT32, rows, columns, p, 1, &data, &error),
            &error);
        break;
      case 1:
        check(
            rampart_data_dense(doubles.data(), RAMPART_FLOAT64, rows, columns, 1, r, &data, &error),
            &error);
        break;
      case 2:
        make_sparse(choose, error);
        break;
      default:
        check(
            rampart_data_dense(doubles.data(), RAMPART_FLOAT64, rows, columns, p, 1, &data, &error),
            &error);
    }
    if (data == nullptr) return;
    const std::string name = choose.text();
    check(rampart_data_set_labels(data, labels.data(), "a",
                                  choose.below(8) == 0 ? name.c_str() : "b", &error),
          &error);
    if (choose.below(3) == 0) check(rampart_data_set_weights(data, weights.data(), &error), &error);
    if (choose.below(4) == 0) {
      const char* const names[] = {"red", "green", name.c_str()};
      check(rampart_data_set_categories(data, choose.below(5), names, choose.below(4), &error),
            &error);
    }
  }
  ~Rows() { rampart_data_free(&data); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;

  void make_sparse(Choices& choose, rampart_error* error) {
    starts.push_back(0);
    for (std::size_t n = 0; n < rows; ++n) {
      for (std::size_t j = 0; j < columns; ++j) {
        if (choose.below(2) == 0) indices.push_back(static_cast<std::int32_t>(j));
      }
      starts.push_back(static_cast<std::int32_t>(indices.size()));
    }
    // now and then a wrong index; starts are taken at their word, as everywhere in C
    if (!indices.empty() && choose.below(8) == 0) {
      indices[choose.below(indices.size())] = static_cast<std::int32_t>(choose.below(256)) - 100;
    }
    check(rampart_data_csr(starts.data(), indices.data(), RAMPART_INT32, doubles.data(),
                           RAMPART_FLOAT64, rows, columns, &data, &error),
          &error);
  }
};

int count_down(const rampart_progress*, void* user) {
  auto& left = *static_cast<int*>(user);
  if (left-- > 0) return RAMPART_GO_ON;
  return left % 2 == 0 ? RAMPART_STOP : RAMPART_ABANDON;
}

void ask(const rampart_model* model, Choices& choose) {
  rampart_error* error = nullptr;
  const Rows rows(choose);
  std::vector<double> scores(rows.rows + 1);
  std::vector<std::int8_t> decisions(rows.rows + 1), reasons(rows.rows + 1);
  std::vector<std::int64_t> columns(rows.rows + 1);
  char words[64];
  check(rampart_model_scores(model, rows.data, scores.data(), &error), &error);
  const rampart_code code = rampart_model_answers(
      model, rows.data, static_cast<unsigned>(choose.below(6)), decisions.data(), reasons.data(),
      columns.data(), scores.data(), &error);
  check(code, &error);
  for (std::size_t n = 0; code == RAMPART_OK && n < rows.rows; ++n) {
    if (decisions[n] != 0 && !std::isfinite(scores[n])) std::abort();  // no confidence without f
    if ((decisions[n] == 0) != (reasons[n] != RAMPART_ANSWERED)) std::abort();
  }
  check(rampart_model_reason(model, rows.data, choose.below(13), 0, words, choose.below(65),
                             nullptr, &error),
        &error);
}

/// The bytes of the model with some changed: a model or an error.
void load_changed(const rampart_model* model, Choices& choose) {
  rampart_error* error = nullptr;
  const char* bytes = nullptr;
  std::size_t size = 0;
  const rampart_code code = rampart_model_bytes(model, &bytes, &size, &error);
  check(code, &error);
  if (code != RAMPART_OK) return;
  std::string changed(bytes, size);
  for (std::size_t count = choose.below(4); count > 0; --count) {
    const std::size_t place = (choose.below(256) * 256 + choose.below(256)) % changed.size();
    changed[place] = static_cast<char>(choose.below(256));
  }
  if (choose.below(8) == 0) changed.resize(changed.size() / 2);
  rampart_model* other = nullptr;
  check(rampart_model_load(changed.data(), changed.size(), 1, &other, &error), &error);
  if (other != nullptr) ask(other, choose);
  rampart_model_free(&other);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Choices choose(data, size);
  rampart_error* error = nullptr;
  rampart_options* options = nullptr;
  const bool tuning = choose.below(8) == 0;
  check(tuning ? rampart_options_for_tuning(&options, &error)
               : rampart_options_for_training(&options, &error),
        &error);
  for (std::size_t count = choose.below(8); count > 0; --count) {
    const std::string value = choose.text();
    const char* const name = rampart_option_text(choose.below(rampart_option_count()), "name");
    check(rampart_options_set(options, name, value.c_str(), &error), &error);
  }
  // Small enough to be quick, whatever was chosen above.
  for (const auto& [name, value] :
       {std::pair{"threads", "1"}, {"max-steps", "2000"}, {"max-rounds", "5"}, {"cache-mb", "1"}}) {
    check(rampart_options_set(options, name, value, &error), &error);
  }
  if (tuning) {
    for (const auto& [name, value] :
         {std::pair{"C", "1,10"}, {"gamma", "0.5"}, {"folds", "2"}, {"repeats", "1"}}) {
      check(rampart_options_set(options, name, value, &error), &error);
    }
  }
  const Rows rows(choose);
  int calls = static_cast<int>(choose.below(16));
  rampart_run* run = nullptr;
  check(tuning ? rampart_tune(rows.data, options, count_down, &calls, &run, &error)
               : rampart_train(rows.data, options, nullptr, count_down, &calls, &run, &error),
        &error);
  if (run != nullptr) {
    rampart_model* model = nullptr;
    check(rampart_run_model(run, 1, &model, &error), &error);
    if (model != nullptr) {
      ask(model, choose);
      load_changed(model, choose);
    }
    rampart_model_free(&model);
  }
  rampart_run_free(&run);
  rampart_options_free(&options);
  return 0;
}
