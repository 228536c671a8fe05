#include "faces/setting_names.hpp"

namespace rampart {

std::string_view option_of(Setting setting) {
  switch (setting) {
    case Setting::none:
      return "";
    case Setting::scaling:
      return "scale";
    case Setting::cache:
      return "cache-mb";
    case Setting::band_folds:
      return "band-folds";
    case Setting::label:
      return "label";
    case Setting::ignore:
      return "ignore";
    case Setting::weight:
      return "weight";
    case Setting::groups:
      return "groups";
    case Setting::header:
      return "header";
    case Setting::delimiter:
      return "delimiter";
    case Setting::line_limit:
      return "max-line-mb";
    case Setting::cell_limit:
      return "max-cell-mb";
    case Setting::unpacking_limit:
      return "max-unpack-ratio";
    case Setting::model_limit:
      return "max-model-mb";
    case Setting::id:
      return "id";
    case Setting::categorical:
      return "categorical";
    case Setting::max_categories:
      return "max-categories";
    case Setting::missing_values:
      return "missing-values";
    case Setting::missing:
      return "missing";
    case Setting::keep:
      return "keep";
    case Setting::text_column:
      return "id, ignore, max-categories";
  }
  return "";
}

}  // namespace rampart
