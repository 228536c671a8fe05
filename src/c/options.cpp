#include <string>
#include <string_view>

#include "c/handles.hpp"
#include "faces/option_text.hpp"

using namespace rampart;
using namespace rampart::c;

namespace {

rampart_code new_options(bool for_tuning, rampart_options** options, rampart_error** error) {
  return make_handle(options, error, [&] {
    auto made = std::make_unique<rampart_options>();
    made->for_tuning = for_tuning;
    return made;
  });
}

}  // namespace

rampart_code rampart_options_for_training(rampart_options** options, rampart_error** error) {
  return new_options(false, options, error);
}

rampart_code rampart_options_for_tuning(rampart_options** options, rampart_error** error) {
  return new_options(true, options, error);
}

rampart_code rampart_options_set(rampart_options* options, const char* name, const char* value,
                                 rampart_error** error) {
  return guarded(error, [&] {
    rampart_options& object = object_of(options, "options");
    const OptionText& option = option_text(&required(name, "name"));
    if (option.use == OptionText::Use::tuning && !object.for_tuning) {
      throw OptionError(std::string(option.name) + ": is an option of tuning");
    }
    object.settings.set(option.name, &required(value, "value"), object.for_tuning);
  });
}

void rampart_options_free(rampart_options** options) { free_handle(options); }

size_t rampart_option_count() { return option_texts().size(); }

const char* rampart_option_text(size_t row, const char* column) {
  if (row >= option_texts().size() || column == nullptr) return nullptr;
  const OptionText& option = option_texts()[row];
  const std::string_view name = column;
  // All texts of the table are literals, which end with a zero; an empty one may be no text at all.
  const auto text = [](std::string_view cell) { return cell.empty() ? "" : cell.data(); };
  if (name == "name") return text(option.name);
  if (name == "value") return text(option.value);
  if (name == "default") return text(option.standard);
  if (name == "group") return text(option.group);
  if (name == "about") return text(option.about);
  if (name == "larger") return text(option.larger);
  if (name == "use") return option.use == OptionText::Use::tuning ? "tuning" : "training";
  return nullptr;
}
