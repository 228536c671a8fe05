#include "c/handles.hpp"
#include "rampart/version.hpp"

using namespace rampart;
using namespace rampart::c;

void rampart::c::report(rampart_error** error, rampart_code code, const char* message,
                        Setting setting) noexcept {
  if (error == nullptr) return;
  try {
    auto made = std::make_unique<rampart_error>();
    made->code = code;
    made->message = message;
    made->option = option_of(setting);
    *error = made.release();
  } catch (...) {
    *error = nullptr;  // not even memory for a message; the code tells
  }
}

int rampart_c_api() { return RAMPART_C_API; }

const char* rampart_version() { return version; }

const char* rampart_error_message(const rampart_error* error) {
  return error != nullptr && error->mark == rampart_error::own_mark ? error->message.c_str() : "";
}

rampart_code rampart_error_code(const rampart_error* error) {
  if (error == nullptr) return RAMPART_OK;
  return error->mark == rampart_error::own_mark ? error->code : RAMPART_BAD_CALL;
}

const char* rampart_error_option(const rampart_error* error) {
  return error != nullptr && error->mark == rampart_error::own_mark ? error->option.c_str() : "";
}

void rampart_error_free(rampart_error** error) { free_handle(error); }
