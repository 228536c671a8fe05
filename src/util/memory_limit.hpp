#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace rampart {

/// The least limit that control groups (version 1 or 2) set for the memory of this process, as the
/// files below `root` tell.
[[nodiscard]] std::optional<std::uint64_t> control_group_limit(const std::filesystem::path& root);

/// Bytes of memory that this process may use at most: the machine's, or less where a control group
/// (a container, a batch system) or `ulimit -v` says so. Nothing where the system does not tell.
[[nodiscard]] std::optional<std::uint64_t> memory_limit();

}  // namespace rampart
