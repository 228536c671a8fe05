// bench_liblinear_solve FILE SOLVER [C]: how long does LIBLINEAR's train() take, without reading?
// As `liblinear-train -s SOLVER -c C -B 1`, with its tolerance. Prints one JSON object: {cpu,
// wall}.

#include <linear.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <vector>

#include "rampart/io.hpp"

namespace {

struct Nodes {
  std::vector<feature_node> all;
  std::vector<std::size_t> begins;  // of each row
};

/// What LIBLINEAR's own reader makes of the rows: from 1, the bias last, then an end mark.
Nodes nodes_of(const rampart::Rows& x) {
  Nodes nodes;
  const int bias = static_cast<int>(x.columns()) + 1;
  nodes.all.reserve(x.stored_values() + 2 * x.size());
  for (std::size_t n = 0; n < x.size(); ++n) {
    nodes.begins.push_back(nodes.all.size());
    x.for_each(n, [&](std::size_t j, double value) {
      if (value != 0) nodes.all.push_back({static_cast<int>(j) + 1, value});
    });
    nodes.all.push_back({bias, 1});
    nodes.all.push_back({-1, 0});
  }
  return nodes;
}

void solve(const char* path, int solver, double c) {
  Nodes nodes;
  std::vector<double> y;
  int columns = 0;
  {
    const rampart::Dataset data = rampart::read_dataset(path);
    nodes = nodes_of(data.x);
    y.assign(data.y.begin(), data.y.end());
    columns = static_cast<int>(data.x.columns());
  }
  std::vector<feature_node*> rows(y.size());
  std::transform(nodes.begins.begin(), nodes.begins.end(), rows.begin(),
                 [&](std::size_t begin) { return nodes.all.data() + begin; });

  problem all{};
  all.l = static_cast<int>(y.size());
  all.n = columns + 1;
  all.y = y.data();
  all.x = rows.data();
  all.bias = 1;
  parameter how{};
  how.solver_type = solver;
  how.C = c;
  how.eps = solver == L2R_L2LOSS_SVC ? 0.01 : 0.1;  // what liblinear-train takes

  set_print_string_function([](const char*) {});
  const auto begin = std::chrono::steady_clock::now();
  const std::clock_t cpu_begin = std::clock();
  model* found = train(&all, &how);
  const double cpu = static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  free_and_destroy_model(&found);
  std::printf("{\"cpu\": %.6f, \"wall\": %.6f}\n", cpu, wall.count());
}

}  // namespace

int main(int count, char** words) {
  const int solver = count > 2 ? std::atoi(words[2]) : 0;
  const double c = count > 3 ? std::atof(words[3]) : 1;
  if ((solver != L2R_L2LOSS_SVC && solver != L2R_L1LOSS_SVC_DUAL) || !(c > 0)) {
    std::fputs("usage: bench_liblinear_solve FILE 2|3 [C]\n", stderr);
    return 2;
  }
  try {
    solve(words[1], solver, c);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench_liblinear_solve: %s\n", error.what());
    return 1;
  }
}
