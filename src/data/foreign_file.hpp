#pragma once

#include <string_view>

#include "data/place.hpp"

namespace rampart {

/// Throws InputError if a file that starts with these bytes is no text but a table of another
/// program: Parquet, Excel, or a ZIP archive. The message has the command that converts it.
void refuse_binary_tables(std::string_view start, const Place& file);

/// The same for JSON, which is text.
void refuse_json(std::string_view start, const Place& file);

}  // namespace rampart
