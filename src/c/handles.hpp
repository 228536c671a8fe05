#pragma once

#include <cxxabi.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "evaluate/cross_validation.hpp"
#include "faces/setting_names.hpp"
#include "faces/training_settings.hpp"
#include "rampart/c.h"
#include "rampart/dataset.hpp"
#include "rampart/errors.hpp"
#include "rampart/model.hpp"
#include "rampart/train.hpp"

/// What the handles of the C API refer to, and how exceptions become codes.

/// Begins every object that a handle refers to, so that a handle of another kind is noticed.
template <std::uint64_t kind>
struct Marked {
  static constexpr std::uint64_t own_mark = 0x52414d5041525400U + kind;
  std::uint64_t mark = own_mark;

  Marked() = default;
  Marked(const Marked&) = delete;
  Marked& operator=(const Marked&) = delete;
  ~Marked() { mark = 0; }
};

// NOLINTBEGIN(readability-identifier-naming): names of the C API
struct rampart_error : Marked<1> {
  rampart_code code = RAMPART_BROKEN;
  std::string message;
  std::string option;
};

struct rampart_options : Marked<2> {
  bool for_tuning = false;
  rampart::TrainingSettings settings;
};

struct rampart_data : Marked<3> {
  rampart::RowsView x;
  std::vector<float> own_floats;  // of x, if the values are not viewed
  std::vector<double> own_doubles;
  const std::int8_t* y = nullptr;
  const double* weights = nullptr;
  rampart::ClassNames classes;
  std::vector<std::string> groups;
  std::vector<std::string> names;
  rampart::Categories categories;

  [[nodiscard]] std::size_t rows() const { return x.size(); }
};

struct rampart_run : Marked<4> {
  rampart::Trained trained;
  std::string json;
  std::vector<std::int64_t> support;
  std::vector<std::int8_t> zones;
};

struct rampart_model : Marked<5> {
  rampart_model(rampart::Model given, unsigned threads);

  rampart::Model model;
  rampart::Predictor predictor;
  std::string json;
  std::vector<std::int64_t> starts;  // of sparse vectors
  std::vector<std::int64_t> indices;

  /// Made when it is asked for.
  [[nodiscard]] const std::string& bytes() const;

 private:
  mutable std::mutex guard_;
  mutable std::optional<std::string> bytes_;
};

// NOLINTEND(readability-identifier-naming)

namespace rampart::c {

/// Arguments that do not make sense.
struct BadCall : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

/// The object of a handle. Throws BadCall for NULL and for a handle of another kind.
template <class Object>
Object& object_of(Object* handle, const char* name) {
  if (handle == nullptr) throw BadCall(std::string(name) + " is NULL");
  if (handle->mark != std::remove_const_t<Object>::own_mark) {
    throw BadCall(std::string(name) + " is not a handle of its kind, or has been freed");
  }
  return *handle;
}

/// An argument that must not be NULL.
template <class Value>
Value& required(Value* argument, const char* name) {
  if (argument == nullptr) throw BadCall(std::string(name) + " is NULL");
  return *argument;
}

/// Hands out an array: both places or, if one is NULL, none.
template <class Value>
void hand_out(const Value* from, std::size_t size, const Value** values, std::size_t* count) {
  const Value*& place = required(values, "the place for the array");
  required(count, "the place for its size") = size;
  place = from;
}

void report(rampart_error** error, rampart_code code, const char* message,
            Setting setting = Setting::none) noexcept;

/// Runs the body of a function of the API: exceptions become codes and messages.
template <class Body>
rampart_code guarded(rampart_error** error, const Body& body) {
  if (error != nullptr) *error = nullptr;
  const auto failed = [error](rampart_code code, const std::exception& found,
                              Setting setting = Setting::none) {
    report(error, code, found.what(), setting);
    return code;
  };
  try {
    body();
    return RAMPART_OK;
  } catch (const BadCall& found) {
    return failed(RAMPART_BAD_CALL, found);
  } catch (const Cancelled& found) {
    return failed(RAMPART_CANCELLED, found);
  } catch (const OptionError& found) {
    return failed(RAMPART_BAD_OPTION, found, found.setting());
  } catch (const ModelError& found) {
    return failed(RAMPART_BAD_MODEL, found, found.setting());
  } catch (const Error& found) {
    return failed(RAMPART_BAD_INPUT, found, found.setting());
  } catch (const std::bad_alloc&) {
    report(error, RAMPART_NO_MEMORY, "there is not enough memory");
    return RAMPART_NO_MEMORY;
  } catch (const std::length_error&) {
    report(error, RAMPART_NO_MEMORY, "that would take more memory than there can be");
    return RAMPART_NO_MEMORY;
  } catch (const std::exception& found) {
    return failed(RAMPART_BROKEN, found);
  } catch (abi::__forced_unwind&) {
    throw;  // the thread is being ended in the observer, as Python does when it exits
  } catch (...) {
    report(error, RAMPART_BROKEN, "an unknown fault");
    return RAMPART_BROKEN;
  }
}

/// Makes an object and its handle. `make` returns it; the handle stays NULL if it throws.
template <class Object, class Make>
rampart_code make_handle(Object** handle, rampart_error** error, const Make& make) {
  if (handle != nullptr) *handle = nullptr;
  return guarded(error, [&] {
    Object*& place = required(handle, "the place for the handle");
    place = make().release();
  });
}

template <class Object>
void free_handle(Object** handle) noexcept {
  if (handle == nullptr || *handle == nullptr || (*handle)->mark != Object::own_mark) return;
  delete *handle;
  *handle = nullptr;
}

/// The labelled rows of a data handle. Throws BadCall if it has no labels.
Problem problem_of(const rampart_data& data);

/// The rows of a data handle as a model expects them: with the model's categories. `own` holds them
/// if they are not those of the data.
RowsView rows_for(const Model& model, const rampart_data& data, std::optional<Rows>& own);

}  // namespace rampart::c
