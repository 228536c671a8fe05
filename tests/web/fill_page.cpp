// JSON from standard input to a page on standard output, as the command makes it. Leaves with 77,
// the code of skipped tests, where pages were left out of the build.
#include <iostream>

#include "page.hpp"
#include "rampart/errors.hpp"

int main() {
  try {
    std::cout << rampart::tool::page(rampart::tool::Json::parse(std::cin));
  } catch (const rampart::Error& error) {
    std::cerr << error.what() << '\n';
    return 77;
  }
}
