// Applies a model to one row after another, as a program does that embeds it: no data set, no
// batch, no memory taken in the loop. Links rampart::predict, which needs no other library.
//
//     predict_in_a_loop model.json < rows.txt
//
// Every line of the input holds the features of a row, separated by spaces; the answer is a line
// with the label, or "reject", and the score.

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <rampart/errors.hpp>
#include <rampart/model.hpp>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: predict_in_a_loop MODEL\n";
    return 2;
  }
  try {
    std::ifstream file(argv[1]);
    std::ostringstream text;
    text << file.rdbuf();
    const rampart::Model model = rampart::model_from_json(text.str(), argv[1]);
    const rampart::ClassNames classes = model.class_names();
    const rampart::Predictor predictor(model);  // prepares the support vectors, once

    std::vector<double> row;
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream numbers(line);
      row.clear();
      for (double value = 0; numbers >> value;) row.push_back(value);

      const rampart::Answer answer = predictor.answer(row);  // rejects also what is unlike training
      switch (answer.decision) {
        case rampart::Decision::negative:
          std::cout << classes.negative;
          break;
        case rampart::Decision::reject:
          std::cout << "reject";
          break;
        case rampart::Decision::positive:
          std::cout << classes.positive;
          break;
      }
      std::cout << ' ' << answer.score << '\n';
    }
  } catch (const rampart::Error& error) {  // a damaged model, a row of another length
    std::cerr << error.what() << '\n';
    return 1;
  }
}
