// bench_kernel_matrix ROWS FEATURES THREADS REPEATS: how long does a whole RBF matrix take in
// single precision, against what the machine could do at best? Prints one JSON object:
//   matrix        seconds to fill the matrix, {wall, cpu}
//   write         the same for a plain pass that writes as many bytes
//   gflops        multiply-adds of all threads together, 10^9 operations a second
//   floor         the longer of writing, and of half the products (the matrix is symmetric) at that
//                 rate; nothing can be faster that computes and stores every entry
// Of REPEATS turns, the median for the matrix and the best for the floor. Memory has been touched
// before. The matrix is checked against the definition before it is timed.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

#include "kernel/kernel_sweep.hpp"
#include "multiply_add.hpp"
#include "normal_rows.hpp"
#include "util/big_buffer.hpp"
#include "util/parallel.hpp"

namespace rampart {
namespace {

/// What is measured: k(x_n, x_m) of all rows.
void fill_matrix(const Rows& x, unsigned threads, float* out) {
  std::vector<float*> rows(x.size());
  for (std::size_t n = 0; n < x.size(); ++n) rows[n] = out + n * x.size();
  KernelSweep<float>(RbfKernel{gamma}, x).matrix(x, rows.data(), threads);
}

bool is_right(const Rows& x, const float* matrix) {
  const std::size_t rows = x.size();
  for (std::size_t k = 0; k < 100000; ++k) {
    const std::size_t n = k * 7919 % rows;
    const std::size_t m = k * 104729 % rows;
    if (std::abs(static_cast<double>(matrix[n * rows + m]) - by_definition(x, n, m)) > 1e-5) {
      return false;
    }
  }
  return true;
}

struct Times {
  std::vector<double> wall;
  std::vector<double> cpu;

  template <class Work>
  void add(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    const std::clock_t cpu_begin = std::clock();
    work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    wall.push_back(took.count());
    cpu.push_back(static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC);
  }
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

int run(std::size_t rows, std::size_t columns, unsigned threads, int repeats) {
  const Rows x = normal_rows(rows, columns);
  BigBuffer<float> matrix(rows * rows);
  fill_matrix(x, threads, matrix.data());
  if (!is_right(x, matrix.data())) {
    std::fprintf(stderr, "wrong kernel values\n");
    return 1;
  }
  Times filling;
  Times writing;
  Times multiplying;
  double operations = 0;
  for (int k = 0; k < repeats; ++k) {
    filling.add([&] { fill_matrix(x, threads, matrix.data()); });
    writing.add([&] {
      parallel_blocks(rows, 64, threads, [&](std::size_t begin, std::size_t end) {
        std::memset(matrix.data() + begin * rows, k + 1, (end - begin) * rows * sizeof(float));
      });
    });
    multiplying.add([&] {
      std::vector<double> done(threads);
      parallel_blocks(threads, 1, threads, [&](std::size_t begin, std::size_t) {
        done[begin] = multiply_add_chains(std::size_t{20'000'000});
      });
      operations = 0;
      for (const double one : done) operations += one;
    });
  }
  const double write = *std::ranges::min_element(writing.wall);
  const double rate = operations / *std::ranges::min_element(multiplying.wall);
  const auto products = static_cast<double>(rows) * static_cast<double>(rows) *
                        static_cast<double>(columns);  // half the entries, two operations each
  std::printf(
      "{\"matrix\": {\"wall\": %.6f, \"cpu\": %.6f}, \"write\": %.6f, \"gflops\": %.2f, "
      "\"floor\": %.6f}\n",
      median(filling.wall), median(filling.cpu), write, rate / 1e9,
      std::max(write, products / rate));
  return 0;
}

}  // namespace
}  // namespace rampart

int main(int count, char** words) {
  if (count != 5) {
    std::fprintf(stderr, "usage: %s ROWS FEATURES THREADS REPEATS\n", words[0]);
    return 2;
  }
  const auto number = [&](int k) { return std::strtoul(words[k], nullptr, 10); };
  return rampart::run(number(1), number(2), static_cast<unsigned>(number(3)),
                      static_cast<int>(number(4)));
}
