// Whatever the bytes, reading them as a model gives a model or a ModelError; and a model that loads
// can be saved and applied.

#include <cstdint>
#include <string_view>

#include "rampart/errors.hpp"
#include "rampart/model.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const rampart::Model model = rampart::model_from_json(text, "file");
    static_cast<void>(rampart::model_from_json(rampart::to_json(model), "again"));
    const auto zero = rampart::Rows::sparse(model.features.count, {0, 0}, {}, {});
    static_cast<void>(rampart::Predictor(model, 1).scores(zero));
  } catch (const rampart::Error&) {
  }
  return 0;
}
