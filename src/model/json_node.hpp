#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "data/limits.hpp"
#include "model/json_numbers.hpp"
#include "rampart/errors.hpp"
#include "rampart/names.hpp"

namespace rampart {

constexpr std::size_t most_features = most_columns;  // as in the readers of data

using Json = nlohmann::json;  // finds a key among many fast

/// A value of the file with its path, which errors name. `taken`: arrays of numbers that were taken
/// out of the text.
class Node {
 public:
  Node(const Json& json, const TakenNumbers* taken, const std::string& file, std::string path)
      : json_(json), taken_(taken), file_(file), path_(std::move(path)) {}

  [[noreturn]] void fail(const std::string& rule) const {
    throw ModelError(path_.empty() ? fmt::format("{}: {}", file_, rule)
                                   : fmt::format("{}: '{}' {}", file_, path_, rule));
  }

  [[nodiscard]] bool has(const char* key) const { return json_.is_object() && json_.contains(key); }

  [[nodiscard]] Node operator[](const char* key) const {
    if (!json_.is_object()) fail("must be an object");
    const auto found = json_.find(key);
    Node child(found == json_.end() ? json_ : *found, taken_, file_,
               path_.empty() ? key : path_ + "." + key);
    if (found == json_.end()) child.fail("is missing");
    return child;
  }

  [[nodiscard]] double number() const {
    if (!json_.is_number()) fail("must be a number");
    const double value = json_.get<double>();
    if (!std::isfinite(value)) fail("must be finite");
    return value;
  }
  [[nodiscard]] std::optional<double> number_or_null() const {
    return json_.is_null() ? std::nullopt : std::optional(number());
  }
  [[nodiscard]] double positive() const {
    const double value = number();
    if (!(value > 0)) fail(fmt::format("is {}, must be > 0", value));
    return value;
  }
  [[nodiscard]] std::size_t whole(std::size_t most) const {
    if (!json_.is_number_integer()) fail("must be a whole number");
    if (json_.is_number_unsigned()) {
      const auto value = json_.get<std::uint64_t>();
      if (value <= most) return value;
    }
    fail(fmt::format("is {}, must be between 0 and {}", json_.dump(), most));
  }
  [[nodiscard]] std::string text() const {
    if (!json_.is_string()) fail("must be a string");
    return json_.get<std::string>();
  }
  [[nodiscard]] std::vector<Node> items() const {
    if (!json_.is_array()) fail("must be an array");
    std::vector<Node> nodes;
    nodes.reserve(json_.size());
    for (std::size_t i = 0; i < json_.size(); ++i) nodes.push_back(item(i));
    return nodes;
  }
  /// The members of an object, by name.
  [[nodiscard]] std::vector<std::pair<std::string, Node>> members() const {
    if (!json_.is_object()) fail("must be an object");
    std::vector<std::pair<std::string, Node>> nodes;
    for (const auto& [key, value] : json_.items()) {
      nodes.emplace_back(key, Node(value, taken_, file_, path_ + "." + key));
    }
    return nodes;
  }
  [[nodiscard]] Node item(std::size_t i) const {
    return {json_[i], taken_, file_, fmt::format("{}[{}]", path_, i)};
  }
  /// Appends an array of finite numbers, of this length if one is given.
  void append_to(std::vector<double>& values, std::size_t length = any) const {
    const TakenNumbers::Array* const taken = taken_array();
    if (!json_.is_array() && taken == nullptr) fail("must be an array");
    const std::size_t size = taken != nullptr ? taken->count : json_.size();
    if (length != any && size != length) {
      fail(fmt::format("has {} entries, must have {}", size, length));
    }
    if (taken != nullptr) {
      const auto numbers = taken_->numbers(*taken);
      values.insert(values.end(), numbers.begin(), numbers.end());
      return;
    }
    for (const Json& item : json_) {
      if (!item.is_number() || !std::isfinite(item.get<double>())) {
        fail("must hold finite numbers only");
      }
      values.push_back(item.get<double>());
    }
  }
  [[nodiscard]] std::vector<double> numbers(std::size_t length = any) const {
    std::vector<double> values;
    append_to(values, length);
    return values;
  }
  /// The number of values in the whole file, if known: an upper bound.
  [[nodiscard]] std::size_t most_numbers() const {
    return taken_ != nullptr ? taken_->values.size() : 0;
  }
  [[nodiscard]] std::vector<std::string> texts() const {
    if (!json_.is_array()) fail("must be an array");
    std::vector<std::string> values;
    values.reserve(json_.size());
    for (std::size_t i = 0; i < json_.size(); ++i) {
      if (!json_[i].is_string()) static_cast<void>(item(i).text());  // fails
      values.push_back(json_[i].get<std::string>());
    }
    return values;
  }
  /// Strictly increasing whole numbers below `end`.
  template <class Integer>
  [[nodiscard]] std::vector<Integer> increasing(std::size_t end) const {
    std::vector<Integer> values;
    const auto append = [&](bool whole, std::uint64_t value) {
      const bool good = whole && value < end && (values.empty() || value > values.back());
      if (!good) fail(fmt::format("must hold increasing whole numbers below {}", end));
      values.push_back(static_cast<Integer>(value));
    };
    if (const auto* const taken = taken_array()) {
      for (const double value : taken_->numbers(*taken)) {
        const bool whole = taken->whole && value <= most_features;
        append(whole, whole ? static_cast<std::uint64_t>(value) : 0);
      }
      return values;
    }
    if (!json_.is_array()) fail("must be an array");
    for (const Json& item : json_) {
      const bool whole = item.is_number_unsigned();
      append(whole, whole ? item.get<std::uint64_t>() : 0);
    }
    return values;
  }
  /// The enumerator with this name.
  template <HasNames Enum>
  [[nodiscard]] Enum named() const {
    const std::string name = text();
    if (const auto value = value_of<Enum>(name)) return *value;
    fail(fmt::format("is '{:.40}', which this version does not know", name));
  }

  static constexpr std::size_t any = std::numeric_limits<std::size_t>::max();

 private:
  /// The array of numbers that was taken out here; nothing if there was none.
  [[nodiscard]] const TakenNumbers::Array* taken_array() const {
    if (taken_ == nullptr || !has(TakenNumbers::key)) return nullptr;
    return &taken_->arrays[json_[TakenNumbers::key].get<std::size_t>()];
  }

  const Json& json_;
  const TakenNumbers* taken_;
  const std::string& file_;
  std::string path_;
};

}  // namespace rampart
