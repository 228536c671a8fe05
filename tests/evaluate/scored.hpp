#pragma once

#include <rapidcheck.h>

#include <cstdint>
#include <vector>

namespace rampart {

struct Scored {
  std::vector<double> scores;
  std::vector<std::int8_t> y;
};

/// Between 1 and most − 1 rows, with scores on a coarse grid around 0: ties are common, and so are
/// rows at f = 0.
inline Scored any_scored(int most) {
  Scored scored;
  const auto rows = *rc::gen::inRange(1, most);
  const auto reach = *rc::gen::inRange(1, 7);
  for (int n = 0; n < rows; ++n) {
    scored.scores.push_back(*rc::gen::inRange(-reach, reach + 1) / 2.0);
    scored.y.push_back(*rc::gen::element<std::int8_t>(-1, 1));
  }
  return scored;
}

}  // namespace rampart
