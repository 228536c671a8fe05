#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <vector>

#include "data/digest.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "util/sha256.hpp"

namespace rampart {

std::string sha256_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> buffer(std::size_t{1} << 16);
  Sha256 digest;
  while (file) {
    file.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    digest.add({buffer.data(), static_cast<std::size_t>(file.gcount())});
  }
  if (!file.eof()) throw InputError(fmt::format("{}: {}", path, std::strerror(errno)));
  return digest.finish();
}

}  // namespace rampart
