#include <algorithm>
#include <cmath>
#include <string_view>

#include "c/handles.hpp"
#include "evaluate/report.hpp"
#include "faces/results_json.hpp"
#include "faces/settle.hpp"
#include "faces/tune_as_set.hpp"

using namespace rampart;
using namespace rampart::c;

namespace {

/// Asks the observer of the caller. Throws Cancelled if it abandons the run.
class Observer {
 public:
  Observer(rampart_observer ask, void* user) : ask_(ask), user_(user) {}

  [[nodiscard]] bool wants_more(rampart_progress progress) const {
    if (ask_ == nullptr) return true;
    progress.size = sizeof(rampart_progress);
    const int answer = ask_(&progress, user_);
    if (answer == RAMPART_ABANDON) throw Cancelled("the observer abandoned it");
    return answer == RAMPART_GO_ON;
  }

 private:
  rampart_observer ask_;
  void* user_;
};

/// A block of rows at a time: there may be many, and the zones of all are four bytes each.
std::vector<std::int8_t> zones_in(const Trained& trained, std::span<const std::int8_t> y) {
  constexpr std::size_t block = 1 << 16;
  std::vector<std::int8_t> found;
  if (trained.model.surface().objective.loss != LossKind::double_ramp) return found;
  found.reserve(y.size());
  for (std::size_t first = 0; first < y.size(); first += block) {
    const std::size_t rows = std::min(block, y.size() - first);
    const std::span given = std::span(trained.scores).subspan(first, rows);
    std::vector<double> scores(given.begin(), given.end());
    for (double& score : scores)
      score = std::isnan(score) ? 0 : score;  // of a row that was dropped
    const std::vector<Zone> zones = zones_of(trained.model, scores, y.subspan(first, rows));
    for (std::size_t k = 0; k < rows; ++k) {
      found.push_back(std::isnan(given[k]) ? std::int8_t{-1} : static_cast<std::int8_t>(zones[k]));
    }
  }
  return found;
}

std::unique_ptr<rampart_run> run_of(Trained trained, const Problem& problem, const Json& json) {
  auto made = std::make_unique<rampart_run>();
  made->json = text_of(json);
  made->support.assign(trained.support.begin(), trained.support.end());
  made->zones = zones_in(trained, problem.y);
  made->trained = std::move(trained);
  return made;
}

Json json_of(const FoldResult& result) {
  Json json{{"repeat", result.repeat}, {"fold", result.fold}};
  json.update(to_json(result.metrics));
  if (result.weighted) json["weighted_risk"] = result.weighted->risk(result.metrics.costs);
  json["aurc"] = result.aurc;
  json["training_rows"] = result.training_rows;
  json["status"] = to_string(result.status);
  return json;
}

Json json_of(const TunedAsSet& tuned) {
  Json json{{"best", tuned.search.best},
            {"widened", tuned.search.widened.any()},
            {"points", Json::array()},
            {"nested", nullptr}};
  for (std::size_t k = 0; k < tuned.search.points.size(); ++k) {
    json["points"].push_back(summary_json(tuned.search.points[k], tuned.search.summaries[k]));
    json["points"].back()["results"] = Json::array();
  }
  for (const FoldResult& result : tuned.results) {
    json["points"][result.method]["results"].push_back(json_of(result));
  }
  if (!tuned.outer.empty()) {
    json["nested"] = pooled_json(tuned.outer);
    for (std::size_t k = 0; k < tuned.outer.size(); ++k) {
      json["nested"]["results"].push_back(json_of(tuned.outer[k]));
      json["nested"]["results"].back()["chosen"] = method_json(tuned.chosen[k]);
    }
  }
  json["training"] = to_json(tuned.trained);
  return json;
}

}  // namespace

rampart_code rampart_train(const rampart_data* data, const rampart_options* options,
                           const rampart_model* start, rampart_observer observer, void* user,
                           rampart_run** run, rampart_error** error) {
  return make_handle(run, error, [&] {
    const Problem problem = problem_of(object_of(data, "data"));
    const rampart_options& chosen = object_of(options, "options");
    if (chosen.for_tuning) throw BadCall("options: are those of tuning");
    const Model* const first = start == nullptr ? nullptr : &object_of(start, "start").model;
    const Observer asked(observer, user);
    Trained trained = train_as_set(
        problem, chosen.settings,
        [&](const TrainProgress& at) {
          return asked.wants_more({.round = at.round,
                                   .steps = at.steps,
                                   .violation = at.violation,
                                   .objective = at.objective});
        },
        first);
    const Json json = to_json(trained);
    return run_of(std::move(trained), problem, json);
  });
}

rampart_code rampart_tune(const rampart_data* data, const rampart_options* options,
                          rampart_observer observer, void* user, rampart_run** run,
                          rampart_error** error) {
  return make_handle(run, error, [&] {
    const Problem problem = problem_of(object_of(data, "data"));
    const rampart_options& chosen = object_of(options, "options");
    if (!chosen.for_tuning) throw BadCall("options: are those of training");
    const Observer asked(observer, user);
    TunedAsSet tuned = tune_as_set(problem, chosen.settings, [&](std::size_t done, std::size_t of) {
      return asked.wants_more({.done = done, .of = of});
    });
    const Json json = json_of(tuned);
    return run_of(std::move(tuned.trained), problem, json);
  });
}

const char* rampart_run_json(const rampart_run* run) {
  return run != nullptr && run->mark == rampart_run::own_mark ? run->json.c_str() : nullptr;
}

rampart_code rampart_run_numbers(const rampart_run* run, const char* name, const double** values,
                                 size_t* count, rampart_error** error) {
  return guarded(error, [&] {
    const rampart_run& object = object_of(run, "run");
    if (std::string_view(&required(name, "name")) != "scores") {
      throw BadCall("name: a run has \"scores\"");
    }
    hand_out(object.trained.scores.data(), object.trained.scores.size(), values, count);
  });
}

rampart_code rampart_run_whole_numbers(const rampart_run* run, const char* name,
                                       const int64_t** values, size_t* count,
                                       rampart_error** error) {
  return guarded(error, [&] {
    const rampart_run& object = object_of(run, "run");
    if (std::string_view(&required(name, "name")) != "support") {
      throw BadCall("name: a run has \"support\"");
    }
    hand_out(object.support.data(), object.support.size(), values, count);
  });
}

rampart_code rampart_run_zones(const rampart_run* run, const int8_t** zones, size_t* count,
                               rampart_error** error) {
  return guarded(error, [&] {
    const rampart_run& object = object_of(run, "run");
    hand_out(object.zones.data(), object.zones.size(), zones, count);
  });
}

rampart_code rampart_run_model(const rampart_run* run, unsigned threads, rampart_model** model,
                               rampart_error** error) {
  return make_handle(model, error, [&] {
    return std::make_unique<rampart_model>(object_of(run, "run").trained.model, threads);
  });
}

void rampart_run_free(rampart_run** run) { free_handle(run); }
