#include "reproduce/paper_figures.hpp"

#include <fmt/format.h>

#include "data/generate.hpp"
#include "model/loss.hpp"
#include "rampart/model.hpp"
#include "rampart/train.hpp"
#include "render/output.hpp"
#include "render/report_json.hpp"

namespace rampart::tool {
namespace {

constexpr double d = 0.2;  // of all figures
constexpr std::size_t fresh_rows = 5000;
constexpr double top = 2.5;  // of the pictures of losses

/// A curve over −4 ≤ t ≤ 4, as far as it stays in the picture: the hinges leave it at the top.
template <MarginLoss Loss>
Json curve(const std::string& label, const Loss& loss, double rho) {
  Json points = Json::array();
  constexpr int steps = 400;
  for (int k = -steps; k <= steps; ++k) {
    const double t = 4.0 * k / steps;
    if (const double value = loss(t, rho); value <= top) points.push_back({t, value});
  }
  return {{"label", label}, {"points", std::move(points)}};
}

Json losses_at(double rho, const std::string& text) {
  return {{"name", fmt::format("Losses for d = {}, rho = {}", number(d), number(rho))},
          {"text", text},
          {"x", "t = y f(x)"},
          {"y", "loss"},
          {"curves",
           {curve("0-d-1", ZeroDOneLoss{d}, rho), curve("double ramp", DoubleRampLoss{d, 1}, rho),
            curve("double hinge", DoubleHingeLoss{d}, rho),
            curve("generalized hinge", GeneralizedHingeLoss{d}, rho)}}};
}

Json ramps() {
  Json figure{
      {"name", fmt::format("The double ramp for d = {}, rho = 2", number(d))},
      {"text",
       "The smaller mu, the steeper the ramps and the nearer to the 0-d-1 loss, which every "
       "one of them bounds from above."},
      {"x", "t = y f(x)"},
      {"y", "loss"},
      {"curves", Json::array()}};
  figure["curves"].push_back(curve("0-d-1", ZeroDOneLoss{d}, 2));
  for (const double mu : {1.0, 0.5, 0.2}) {
    figure["curves"].push_back(curve(fmt::format("mu = {}", number(mu)), DoubleRampLoss{d, mu}, 2));
  }
  return figure;
}

Trained train_linear(const Dataset& data, LossKind loss, double C, unsigned threads) {
  TrainOptions method;
  method.objective.loss = loss;
  method.objective.costs = Costs::symmetric(d);
  method.objective.C = C;
  method.representation.kernel.type = KernelType::linear;
  method.representation.unfamiliar = 0;  // as in the paper
  method.resources.threads = threads;
  return train(data, method);
}

Json line(const std::string& label, std::initializer_list<std::pair<double, double>> points) {
  Json json = Json::array();
  for (const auto& [x, y] : points) json.push_back({x, y});
  return {{"label", label}, {"points", std::move(json)}};
}

/// The plane of a model on the rows it was trained on, with the boundary that the labels come from.
Json figure(const Trained& trained, const Dataset& data, const std::string& name,
            const std::string& text, const Json& truth, unsigned threads) {
  const auto plane = plane_of(trained.model, data, trained.scores, threads);
  Json json = plane_json(*plane, trained.model.surface().band.rho, name, text);
  json["lines"] = Json::array({truth});
  return json;
}

}  // namespace

void add_paper_figures(Json& page, std::uint64_t seed, unsigned threads) {
  page["functions"] = {
      losses_at(0.7,
                "All three bound the 0-d-1 loss from above. The two hinges rise through the "
                "rejection region and beyond it without end; the double ramp ends at 1 + mu."),
      losses_at(2,
                "For a wider band the two hinges fall below the 0-d-1 loss near t = rho: they "
                "bound it only while rho is small. The double ramp bounds it for every rho."),
      ramps()};

  const Dataset square = generate(SyntheticSet::square, paper_size(SyntheticSet::square), seed);
  const Trained on_square = train_linear(square, LossKind::double_ramp, 100, threads);
  const Dataset synthetic =
      generate(SyntheticSet::synthetic1, paper_size(SyntheticSet::synthetic1), seed);
  const Json vertical = line("true boundary", {{0, -5}, {0, 5}});
  page["planes"] = {
      figure(on_square, square, "The square set and the band learnt from it",
             "400 points, labels random near the diagonal; double ramp, C = 100, d = 0.2. Filled "
             "marks are support vectors.",
             line("true boundary", {{0, 0}, {1, 1}}), threads),
      figure(train_linear(synthetic, LossKind::double_ramp, 2, threads), synthetic,
             "Synthetic 1, double ramp",
             "300 points, a tenth of the labels flipped; C = 2, d = 0.2.", vertical, threads),
      figure(train_linear(synthetic, LossKind::double_hinge, 32, threads), synthetic,
             "Synthetic 1, double hinge", "The same points; C = 32, d = 0.2.", vertical, threads)};

  const Dataset fresh = generate(SyntheticSet::square, fresh_rows, seed + 1);
  const std::vector<Answer> answers = Predictor(on_square.model, threads).answers(fresh.x);
  page["models"] = Json::array({model_json(
      on_square.model, fresh, answers,
      {.name = fmt::format("The model of the square set on {} fresh points", fresh_rows),
       .costs = on_square.model.surface().costs(),
       .threads = threads})});
}

}  // namespace rampart::tool
