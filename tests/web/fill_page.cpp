// JSON from standard input to a page on standard output, as the command makes it.
#include <iostream>

#include "render/page.hpp"

int main() { std::cout << rampart::tool::page(rampart::Json::parse(std::cin)); }
