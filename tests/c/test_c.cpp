// What the C API promises beyond its manual: errors for every wrong call, the same bits from many
// threads and through every form of the same rows, cancelling that leaves nothing behind.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <nlohmann/json.hpp>

#include "rampart/c.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Freeing {
  void operator()(rampart_data* data) const { rampart_data_free(&data); }
  void operator()(rampart_options* options) const { rampart_options_free(&options); }
  void operator()(rampart_run* run) const { rampart_run_free(&run); }
  void operator()(rampart_model* model) const { rampart_model_free(&model); }
  void operator()(rampart_error* error) const { rampart_error_free(&error); }
};
template <class Object>
using Owned = std::unique_ptr<Object, Freeing>;

/// Calls a function of the API; its error as text, empty if there is none.
template <class Call>
std::string error_of(const Call& call, rampart_code expected) {
  rampart_error* error = nullptr;
  const rampart_code code = call(&error);
  const Owned<rampart_error> owned(error);
  EXPECT_EQ(code, expected) << rampart_error_message(error);
  EXPECT_EQ(rampart_error_code(error), expected);
  return rampart_error_message(error);
}

template <class Call>
void must(const Call& call) {
  EXPECT_EQ(error_of(call, RAMPART_OK), "");
}

struct Problem {
  std::size_t rows = 120;
  std::size_t columns = 3;
  std::vector<double> x;
  std::vector<std::int8_t> y;

  Problem() {
    std::uint64_t state = 7;
    for (std::size_t n = 0; n < rows; ++n) {
      y.push_back(n % 3 == 0 ? 1 : -1);
      for (std::size_t j = 0; j < columns; ++j) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const double noise = static_cast<double>(state >> 11U) / 9007199254740992.0 - 0.5;
        x.push_back(static_cast<float>(2 * noise + (j == 0 ? 0.4 * y.back() : 0.0)));
      }
    }
  }

  [[nodiscard]] Owned<rampart_data> data() const {
    rampart_data* made = nullptr;
    must([&](auto error) {
      return rampart_data_dense(x.data(), RAMPART_FLOAT64, rows, columns,
                                static_cast<std::ptrdiff_t>(columns), 1, &made, error);
    });
    return label(made);
  }

  [[nodiscard]] Owned<rampart_data> label(rampart_data* made) const {
    must([&](auto error) { return rampart_data_set_labels(made, y.data(), "a", "b", error); });
    return Owned<rampart_data>(made);
  }
};

using Settings = std::vector<std::pair<const char*, const char*>>;

Owned<rampart_options> options_with(const Settings& settings, bool tuning = false) {
  rampart_options* made = nullptr;
  must([&](auto error) {
    return tuning ? rampart_options_for_tuning(&made, error)
                  : rampart_options_for_training(&made, error);
  });
  for (const auto& [name, value] : settings) {
    must([&, n = name, v = value](auto error) { return rampart_options_set(made, n, v, error); });
  }
  return Owned<rampart_options>(made);
}

Owned<rampart_run> train(const rampart_data* data, const Settings& settings) {
  const auto options = options_with(settings);
  rampart_run* run = nullptr;
  must([&](auto error) {
    return rampart_train(data, options.get(), nullptr, nullptr, nullptr, &run, error);
  });
  return Owned<rampart_run>(run);
}

Owned<rampart_model> model_of(const rampart_run* run) {
  rampart_model* model = nullptr;
  must([&](auto error) { return rampart_run_model(run, 1, &model, error); });
  return Owned<rampart_model>(model);
}

std::string bytes_of(const rampart_model* model) {
  const char* bytes = nullptr;
  std::size_t size = 0;
  must([&](auto error) { return rampart_model_bytes(model, &bytes, &size, error); });
  return {bytes, size};
}

std::string trained_bytes(const rampart_data* data, const Settings& settings) {
  return bytes_of(model_of(train(data, settings).get()).get());
}

TEST(CApi, EveryFormOfTheSameRowsTrainsTheSameBits) {
  const Problem problem;
  const auto rows = problem.data();
  const auto form = [&](auto&& make) {
    rampart_data* made = nullptr;
    must([&](auto error) { return make(&made, error); });
    return problem.label(made);
  };
  // The values are floats, so that both types hold the same numbers.
  const std::vector<float> floats(problem.x.begin(), problem.x.end());
  std::vector<double> by_column(problem.x.size());
  std::vector<double> padded(problem.rows * 5, std::nan(""));
  std::vector<double> backwards(problem.x.size());
  for (std::size_t n = 0; n < problem.rows; ++n) {
    for (std::size_t j = 0; j < problem.columns; ++j) {
      const double value = problem.x[n * problem.columns + j];
      by_column[j * problem.rows + n] = value;
      padded[n * 5 + j] = value;
      backwards[(problem.rows - 1 - n) * problem.columns + j] = value;
    }
  }
  const auto r = problem.rows, p = problem.columns;
  const auto rs = static_cast<std::ptrdiff_t>(r), ps = static_cast<std::ptrdiff_t>(p);
  std::vector<Owned<rampart_data>> forms;
  forms.push_back(form([&](auto data, auto error) {
    return rampart_data_dense(floats.data(), RAMPART_FLOAT32, r, p, ps, 1, data, error);
  }));
  forms.push_back(form([&](auto data, auto error) {
    return rampart_data_dense(by_column.data(), RAMPART_FLOAT64, r, p, 1, rs, data, error);
  }));
  forms.push_back(form([&](auto data, auto error) {
    return rampart_data_dense(padded.data(), RAMPART_FLOAT64, r, p, 5, 1, data, error);
  }));
  forms.push_back(form([&](auto data, auto error) {
    return rampart_data_dense(backwards.data() + (rs - 1) * ps, RAMPART_FLOAT64, r, p, -ps, 1, data,
                              error);
  }));
  for (const char* kernel : {"rbf", "linear"}) {
    const Settings settings = {{"kernel", kernel}};
    const std::string expected = trained_bytes(rows.get(), settings);
    for (const auto& other : forms) EXPECT_EQ(trained_bytes(other.get(), settings), expected);
  }
}

template <class Index, class Value>
Owned<rampart_data> sparse(const Problem& problem, rampart_type index, rampart_type type,
                           std::vector<Index>& starts, std::vector<Index>& indices,
                           std::vector<Value>& values) {
  starts.push_back(0);
  for (std::size_t n = 0; n < problem.rows; ++n) {
    for (std::size_t j = 0; j < problem.columns; ++j) {
      indices.push_back(static_cast<Index>(j));
      values.push_back(static_cast<Value>(problem.x[n * problem.columns + j]));
    }
    starts.push_back(static_cast<Index>(indices.size()));
  }
  rampart_data* made = nullptr;
  must([&](auto error) {
    return rampart_data_csr(starts.data(), indices.data(), index, values.data(), type, problem.rows,
                            problem.columns, &made, error);
  });
  return problem.label(made);
}

TEST(CApi, SparseRowsOfEveryTypeTrainTheSameBits) {
  const Problem problem;
  std::vector<std::int32_t> starts32, indices32, more_starts32, more_indices32;
  std::vector<std::int64_t> starts64, indices64, more_starts64, more_indices64;
  std::vector<double> doubles, more_doubles;
  std::vector<float> floats, more_floats;
  const auto a = sparse(problem, RAMPART_INT32, RAMPART_FLOAT64, starts32, indices32, doubles);
  const auto b = sparse(problem, RAMPART_INT64, RAMPART_FLOAT64, starts64, indices64, more_doubles);
  const auto c =
      sparse(problem, RAMPART_INT32, RAMPART_FLOAT32, more_starts32, more_indices32, floats);
  const auto d =
      sparse(problem, RAMPART_INT64, RAMPART_FLOAT32, more_starts64, more_indices64, more_floats);
  for (const char* kernel : {"rbf", "linear"}) {
    const Settings settings = {{"kernel", kernel}};
    const std::string expected = trained_bytes(a.get(), settings);
    for (const auto* other : {&b, &c, &d})
      EXPECT_EQ(trained_bytes(other->get(), settings), expected);
  }
}

TEST(CApi, ManyThreadsAtOnceGetWhatOneGetsAlone) {
  const Problem problem;
  const auto data = problem.data();
  const Settings settings = {{"gamma", "0.7"}, {"threads", "2"}};
  const std::string alone = trained_bytes(data.get(), settings);
  const auto model = model_of(train(data.get(), settings).get());
  std::vector<double> scores(problem.rows);
  must([&](auto error) {
    return rampart_model_scores(model.get(), data.get(), scores.data(), error);
  });
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      std::vector<double> found(problem.rows);
      for (int repeat = 0; repeat < 5; ++repeat) {
        wrong += trained_bytes(data.get(), settings) != alone ? 1 : 0;
        rampart_model_scores(model.get(), data.get(), found.data(), nullptr);
        wrong += found != scores ? 1 : 0;
        wrong += bytes_of(model.get()) != alone ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

TEST(CApi, ARunCanBeStoppedOrAbandoned) {
  const Problem problem;
  const auto data = problem.data();
  const auto options = options_with({{"C", "1000"}});
  rampart_run* run = nullptr;
  const auto stop = [](const rampart_progress*, void*) { return int{RAMPART_STOP}; };
  must([&](auto error) {
    return rampart_train(data.get(), options.get(), nullptr, stop, nullptr, &run, error);
  });
  const Owned<rampart_run> stopped(run);
  EXPECT_EQ(json::parse(rampart_run_json(run))["status"], "cancelled");
  const auto abandon = [](const rampart_progress*, void*) { return int{RAMPART_ABANDON}; };
  error_of(
      [&](auto error) {
        return rampart_train(data.get(), options.get(), nullptr, abandon, nullptr, &run, error);
      },
      RAMPART_CANCELLED);
  EXPECT_EQ(run, nullptr);
}

TEST(CApi, ATuningReportsEveryPointAndFold) {
  const Problem problem;
  const auto data = problem.data();
  const auto options = options_with({{"C", "0.5,1,2"}, {"gamma", "0.1,1"}, {"folds", "3"}}, true);
  rampart_run* run = nullptr;
  must([&](auto error) {
    return rampart_tune(data.get(), options.get(), nullptr, nullptr, &run, error);
  });
  const Owned<rampart_run> owned(run);
  const json report = json::parse(rampart_run_json(run));
  ASSERT_EQ(report["points"].size(), 6);
  double least = 1;
  for (const json& point : report["points"]) {
    ASSERT_EQ(point["results"].size(), 3);
    std::size_t rows = 0;
    double cost = 0;
    for (const json& fold : point["results"]) {
      rows += fold["rows"].get<std::size_t>();
      cost += fold["risk"].get<double>() * fold["rows"].get<double>();
    }
    EXPECT_EQ(rows, problem.rows);
    EXPECT_NEAR(cost / 120, point["risk"]["mean"].get<double>(), 1e-12);
    least = std::min(least, point["risk"]["mean"].get<double>());
  }
  EXPECT_EQ(report["points"][report["best"].get<std::size_t>()]["risk"]["mean"], least);
  // The model is that of a training with the best point.
  const json& best = report["points"][report["best"].get<std::size_t>()];
  const std::string C = best["C"].dump(), gamma = best["gamma"].dump();
  EXPECT_EQ(bytes_of(model_of(run).get()),
            trained_bytes(data.get(), {{"C", C.c_str()}, {"gamma", gamma.c_str()}}));
}

TEST(CApi, ANestedEstimateCountsRowsByTheirWeights) {
  const Problem problem;
  const auto data = problem.data();
  std::vector<double> weights;
  for (std::size_t n = 0; n < problem.rows; ++n) weights.push_back(problem.y[n] > 0 ? 5 : 0.5);
  must([&](auto e) { return rampart_data_set_weights(data.get(), weights.data(), e); });
  const auto options = options_with({{"C", "0.5,2"}, {"folds", "4"}, {"nested", "yes"}}, true);
  rampart_run* run = nullptr;
  must([&](auto e) { return rampart_tune(data.get(), options.get(), nullptr, nullptr, &run, e); });
  const Owned<rampart_run> owned(run);
  const json nested = json::parse(rampart_run_json(run))["nested"];
  EXPECT_NE(nested["weighted_risk"], nested["risk"]);
  // Four folds have ten rows of the one class and twenty of the other each.
  double sum = 0;
  for (const json& fold : nested["results"]) sum += fold["weighted_risk"].get<double>();
  EXPECT_NEAR(nested["weighted_risk"].get<double>(), sum / 4, 1e-12);
}

TEST(CApi, DroppedRowsHaveNoScore) {
  Problem problem;
  problem.x[3] = std::nan("");
  const auto data = problem.data();
  const auto run = train(data.get(), {{"missing", "drop"}});
  const double* scores = nullptr;
  const std::int8_t* zones = nullptr;
  std::size_t count = 0;
  must(
      [&](auto error) { return rampart_run_numbers(run.get(), "scores", &scores, &count, error); });
  ASSERT_EQ(count, problem.rows);
  EXPECT_TRUE(std::isnan(scores[1]));
  EXPECT_FALSE(std::isnan(scores[0]));
  must([&](auto error) { return rampart_run_zones(run.get(), &zones, &count, error); });
  EXPECT_EQ(zones[1], -1);
  EXPECT_GE(zones[2], 0);
  const auto options = options_with({{"missing", "refuse"}});
  rampart_run* none = nullptr;
  EXPECT_THAT(error_of(
                  [&](auto error) {
                    return rampart_train(data.get(), options.get(), nullptr, nullptr, nullptr,
                                         &none, error);
                  },
                  RAMPART_BAD_INPUT),
              HasSubstr("missing values"));
}

TEST(CApi, WrongCallsAreAnsweredWithAnError) {
  const Problem problem;
  const auto data = problem.data();
  const auto options = options_with({});
  const auto model = model_of(train(data.get(), {}).get());
  rampart_data* made = nullptr;
  rampart_run* run = nullptr;
  rampart_model* other = nullptr;
  std::vector<double> scores(problem.rows);
  const auto bad_call = [](const auto& call) { return error_of(call, RAMPART_BAD_CALL); };

  bad_call([&](auto e) { return rampart_options_for_training(nullptr, e); });
  bad_call([&](auto e) { return rampart_options_set(nullptr, "C", "1", e); });
  bad_call([&](auto e) { return rampart_options_set(options.get(), nullptr, "1", e); });
  bad_call([&](auto e) { return rampart_options_set(options.get(), "C", nullptr, e); });
  bad_call(
      [&](auto e) { return rampart_data_dense(nullptr, RAMPART_FLOAT64, 2, 2, 2, 1, &made, e); });
  bad_call([&](auto e) {
    return rampart_data_dense(scores.data(), RAMPART_INT32, 2, 2, 2, 1, &made, e);
  });
  bad_call([&](auto e) {
    return rampart_data_dense(scores.data(), RAMPART_FLOAT64, SIZE_MAX / 2, 3, 3, 1, &made, e);
  });
  bad_call([&](auto e) {
    return rampart_data_csr(nullptr, nullptr, RAMPART_INT32, nullptr, RAMPART_FLOAT32, 1, 1, &made,
                            e);
  });
  bad_call([&](auto e) { return rampart_data_set_labels(data.get(), nullptr, "a", "b", e); });
  bad_call([&](auto e) { return rampart_data_set_names(data.get(), nullptr, e); });
  bad_call([&](auto e) { return rampart_data_set_categories(data.get(), 9, nullptr, 0, e); });
  bad_call([&](auto e) {
    return rampart_train(data.get(), nullptr, nullptr, nullptr, nullptr, &run, e);
  });
  bad_call(
      [&](auto e) { return rampart_tune(data.get(), options.get(), nullptr, nullptr, &run, e); });
  bad_call([&](auto e) { return rampart_run_model(nullptr, 1, &other, e); });
  bad_call([&](auto e) { return rampart_model_load(nullptr, 0, 1, &other, e); });
  bad_call([&](auto e) { return rampart_model_scores(model.get(), nullptr, scores.data(), e); });
  bad_call([&](auto e) { return rampart_model_scores(model.get(), data.get(), nullptr, e); });
  bad_call([&](auto e) {
    return rampart_model_answers(model.get(), data.get(), 99, nullptr, nullptr, nullptr, nullptr,
                                 e);
  });
  bad_call([&](auto e) {
    return rampart_model_reason(model.get(), data.get(), 9999, 0, nullptr, 0, nullptr, e);
  });
  const double* values = nullptr;
  std::size_t count = 0;
  bad_call(
      [&](auto e) { return rampart_model_numbers(model.get(), "nothing", &values, &count, e); });
  EXPECT_EQ(rampart_run_json(nullptr), nullptr);
  EXPECT_EQ(rampart_model_json(nullptr), nullptr);
  EXPECT_EQ(rampart_option_text(99999, "name"), nullptr);
  EXPECT_EQ(rampart_option_text(0, "nothing"), nullptr);
  EXPECT_STREQ(rampart_error_message(nullptr), "");
  EXPECT_EQ(made, nullptr);
  EXPECT_EQ(run, nullptr);
  EXPECT_EQ(other, nullptr);
}

TEST(CApi, AnArrayIsHandedOutWithItsSizeOrNotAtAll) {
  const Problem problem;
  const auto data = problem.data();
  const auto run = train(data.get(), {});
  const auto model = model_of(run.get());
  const auto needs_both = []<class Value>(const Value* values, const auto& ask) {
    std::size_t count = 77;
    error_of([&](auto e) { return ask(&values, nullptr, e); }, RAMPART_BAD_CALL);
    error_of([&](auto e) { return ask(nullptr, &count, e); }, RAMPART_BAD_CALL);
    EXPECT_EQ(values, nullptr);
    EXPECT_EQ(count, 77);
  };
  const double* const numbers = nullptr;
  const std::int64_t* const whole = nullptr;
  const std::int8_t* const zones = nullptr;
  const char* const text = nullptr;
  needs_both(numbers, [&](auto v, auto n, auto e) {
    return rampart_run_numbers(run.get(), "scores", v, n, e);
  });
  needs_both(whole, [&](auto v, auto n, auto e) {
    return rampart_run_whole_numbers(run.get(), "support", v, n, e);
  });
  needs_both(zones, [&](auto v, auto n, auto e) { return rampart_run_zones(run.get(), v, n, e); });
  needs_both(text,
             [&](auto v, auto n, auto e) { return rampart_model_bytes(model.get(), v, n, e); });
  needs_both(numbers, [&](auto v, auto n, auto e) {
    return rampart_model_numbers(model.get(), "vectors", v, n, e);
  });
  needs_both(whole, [&](auto v, auto n, auto e) {
    return rampart_model_whole_numbers(model.get(), "starts", v, n, e);
  });
  std::size_t needed = 77;
  error_of(
      [&](auto e) {
        return rampart_model_reason(model.get(), data.get(), 0, 0, nullptr, 9, &needed, e);
      },
      RAMPART_BAD_CALL);
  EXPECT_EQ(needed, 77);
}

TEST(CApi, NamesThatStandTwiceAreRefusedBeforeTraining) {
  const Problem problem;
  const auto options = options_with({});
  const auto refusal = [&](const rampart_data* data) {
    rampart_run* run = nullptr;
    return error_of(
        [&](auto e) {
          return rampart_train(data, options.get(), nullptr, nullptr, nullptr, &run, e);
        },
        RAMPART_BAD_INPUT);
  };
  const char* const names[] = {"age", "ward", "age"};
  const auto named = problem.data();
  must([&](auto e) { return rampart_data_set_names(named.get(), names, e); });
  EXPECT_THAT(refusal(named.get()), HasSubstr("two features are called 'age'"));

  const char* const wards[] = {"A", "B", "A"};
  const auto categorical = problem.data();
  must([&](auto e) { return rampart_data_set_categories(categorical.get(), 1, wards, 3, e); });
  EXPECT_THAT(refusal(categorical.get()), HasSubstr("feature 2 has the category 'A' twice"));
}

TEST(CApi, WrongWidthsAndTypesTakeNoMemory) {
  const Problem problem;
  const auto model = model_of(train(problem.data().get(), {}).get());
  rampart_data* made = nullptr;
  const auto wrong_type = static_cast<rampart_type>(9);
  EXPECT_THAT(error_of(
                  [&](auto e) {
                    return rampart_data_dense(problem.x.data(), wrong_type, 2, 3, 3, 1, &made, e);
                  },
                  RAMPART_BAD_CALL),
              HasSubstr("RAMPART_FLOAT32"));
  const std::size_t many = std::size_t{1} << 59U;  // rows of no column take no memory themselves
  must([&](auto e) {
    return rampart_data_dense(nullptr, RAMPART_FLOAT64, many, 0, 0, 1, &made, e);
  });
  const Owned<rampart_data> owned(made);
  error_of(
      [&](auto e) {
        return rampart_model_answers(model.get(), made, 0, nullptr, nullptr, nullptr, nullptr, e);
      },
      RAMPART_BAD_MODEL);
  double score = 0;
  error_of([&](auto e) { return rampart_model_scores(model.get(), made, &score, e); },
           RAMPART_BAD_MODEL);
}

TEST(CApi, WeightsThatAreNoneAreNamed) {
  const Problem problem;
  const auto data = problem.data();
  const auto options = options_with({});
  for (const double weight : {-1.0, std::nan("")}) {
    const std::vector<double> weights(problem.rows, weight);
    must([&](auto e) { return rampart_data_set_weights(data.get(), weights.data(), e); });
    rampart_run* run = nullptr;
    EXPECT_THAT(error_of(
                    [&](auto e) {
                      return rampart_train(data.get(), options.get(), nullptr, nullptr, nullptr,
                                           &run, e);
                    },
                    RAMPART_BAD_INPUT),
                HasSubstr("row 1: weight"));
  }
}

TEST(CApi, TextThatPeopleReadAsNumbersIsNamed) {
  EXPECT_STREQ(rampart_number_like("12%"), "a percentage");
  EXPECT_STREQ(rampart_number_like("2024-05-31"), "a date");
  for (const char* other : {"", "ward 3", "12", "\xff\xfe%"}) {
    EXPECT_STREQ(rampart_number_like(other), "") << other;
  }
  EXPECT_STREQ(rampart_number_like(nullptr), "");
}

TEST(CApi, RowsThatCannotBeUsedAreRefused) {
  const Problem problem;
  const auto model = model_of(train(problem.data().get(), {}).get());
  const std::vector<std::int8_t> labels(problem.rows, 2);
  const auto data = problem.data();
  EXPECT_THAT(
      error_of(
          [&](auto e) { return rampart_data_set_labels(data.get(), labels.data(), "a", "b", e); },
          RAMPART_BAD_INPUT),
      HasSubstr("must be -1 or 1"));
  const char* const names[] = {"a", "\xd5", "c"};
  EXPECT_THAT(error_of([&](auto e) { return rampart_data_set_names(data.get(), names, e); },
                       RAMPART_BAD_INPUT),
              HasSubstr("not UTF-8"));
  // indices that fall, and one beyond the columns
  for (const std::vector<std::int32_t>& indices :
       {std::vector<std::int32_t>{1, 0}, std::vector<std::int32_t>{0, 7}}) {
    const std::vector<std::int32_t> starts = {0, 2};
    const std::vector<double> values = {1, 2};
    rampart_data* made = nullptr;
    error_of(
        [&](auto e) {
          return rampart_data_csr(starts.data(), indices.data(), RAMPART_INT32, values.data(),
                                  RAMPART_FLOAT64, 1, 3, &made, e);
        },
        RAMPART_BAD_INPUT);
  }
  const double wide[4] = {1, 2, 3, 4};
  const double infinite[3] = {1, 2, std::numeric_limits<double>::infinity()};
  double score = 0;
  const auto ask = [&](const double* row, std::size_t columns, rampart_code expected) {
    rampart_data* made = nullptr;
    must([&](auto e) {
      return rampart_data_dense(row, RAMPART_FLOAT64, 1, columns, 4, 1, &made, e);
    });
    const Owned<rampart_data> owned(made);
    error_of([&](auto e) { return rampart_model_scores(model.get(), made, &score, e); }, expected);
  };
  ask(wide, 4, RAMPART_BAD_MODEL);
  ask(wide, 2, RAMPART_BAD_MODEL);
  ask(infinite, 3, RAMPART_BAD_INPUT);
  ask(wide, 3, RAMPART_OK);
}

}  // namespace
