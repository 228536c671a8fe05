#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "data/digest.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "util/sha256.hpp"

namespace rampart {
namespace {

TEST(Digest, IsThatOfTheBytesOfTheFileUnpackedOrNot) {
  const std::string path =
      testing::TempDir() + "rampart_digest_" + std::to_string(::getpid()) + ".bin";
  for (const std::size_t size : {0U, 3U, 65536U, 200001U}) {
    std::string bytes = "\x1f\x8b\x08 begins like gzip";  // and is not unpacked
    bytes.resize(size, '\n');
    std::ofstream(path, std::ios::binary) << bytes;
    Sha256 digest;
    digest.add(bytes);
    EXPECT_EQ(sha256_of_file(path), digest.finish());
  }
  std::filesystem::remove(path);
}

TEST(Digest, OfNoFileOrAFolderIsAnError) {
  EXPECT_THAT([] { static_cast<void>(sha256_of_file("/none/file.data")); },
              testing::ThrowsMessage<InputError>("/none/file.data: No such file or directory"));
  EXPECT_THROW(static_cast<void>(sha256_of_file("/")), InputError);
}

}  // namespace
}  // namespace rampart
