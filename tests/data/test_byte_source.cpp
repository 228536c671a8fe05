#include "data/byte_source.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "data/packed.hpp"
#include "data/with_file.hpp"
#include "rampart/errors.hpp"

namespace rampart {
namespace {

using ::testing::ThrowsMessage;
using testing_support::gzip;
using testing_support::xz;

std::string read_all(ByteSource source, std::size_t step = 100) {
  std::string all;
  std::string buffer(step, '\0');
  while (const std::size_t count = source.read(buffer)) all.append(buffer, 0, count);
  return all;
}

std::string unpack(const std::string& bytes, std::size_t chunk = 1 << 16) {
  return read_all(ByteSource::memory(bytes, "file", chunk));
}

RC_GTEST_PROP(ByteSourceTest, PackedBytesAreReadLikePlainOnes, (const std::string& text)) {
  RC_PRE(!text.starts_with("\x1f\x8b") && !text.starts_with("\xfd"));
  const auto chunk = *rc::gen::inRange<std::size_t>(1, 50);
  RC_ASSERT(unpack(text, chunk) == text);
  RC_ASSERT(unpack(gzip(text), chunk) == text);
  RC_ASSERT(unpack(xz(text), chunk) == text);
}

RC_GTEST_PROP(ByteSourceTest, PackedFilesMayBeStrungTogether,
              (const std::string& one, const std::string& two)) {
  const auto chunk = *rc::gen::inRange<std::size_t>(1, 50);
  RC_ASSERT(unpack(gzip(one) + gzip(two), chunk) == one + two);
  RC_ASSERT(unpack(xz(one) + xz(two), chunk) == one + two);
}

RC_GTEST_PROP(ByteSourceTest, PackedDataCutShortAreAnError, (const std::string& text)) {
  for (const std::string& packed : {gzip(text), xz(text)}) {
    const auto kept = *rc::gen::inRange<std::size_t>(6, packed.size());
    RC_ASSERT_THROWS_AS(unpack(packed.substr(0, kept)), InputError);
  }
}

// Random digits, which packing hardly halves: many steps of the thread that unpacks.
std::string many_digits(std::size_t count) {
  std::mt19937_64 random(1);
  std::string text(count, '\0');
  for (char& c : text) c = static_cast<char>('0' + random() % 10);
  return text;
}

std::string unpack_by_thread(const std::string& packed, std::size_t most = SIZE_MAX) {
  return testing_support::with_file(packed, [&](const std::string& path) {
    ByteSource source = ByteSource::file(path);
    source.unpack_ahead();
    std::string all;
    std::string buffer(100'000, '\0');
    while (const std::size_t count = all.size() < most ? source.read(buffer) : 0) {
      all.append(buffer, 0, count);
      EXPECT_LE(source.bytes_read(), packed.size());
      EXPECT_GT(source.bytes_read(), 0U);
    }
    const bool ended = all.size() < most;
    EXPECT_TRUE(!ended || source.bytes_read() == packed.size());
    EXPECT_TRUE(!ended || source.read(buffer) == 0);
    return all;
  });
}

TEST(ByteSourceTest, AThreadOfItsOwnUnpacksTheSameBytes) {
  const std::string text = many_digits(12'000'000);
  EXPECT_TRUE(unpack_by_thread(gzip(text)) == text);
  EXPECT_TRUE(unpack_by_thread(xz(text.substr(0, 2'000'000))) == text.substr(0, 2'000'000));
  EXPECT_TRUE(unpack_by_thread(gzip("")).empty());
  EXPECT_EQ(unpack_by_thread("not packed"), "not packed");
}

TEST(ByteSourceTest, TheThreadEndsWithTheSource) {
  EXPECT_GE(unpack_by_thread(gzip(many_digits(12'000'000)), 1).size(), 1U);
}

TEST(ByteSourceTest, DamageIsFoundAfterTheBytesBeforeIt) {
  const std::string text = many_digits(3'000'000);
  const std::string packed = gzip(text);
  testing_support::with_file(packed.substr(0, packed.size() - 1), [&](const std::string& path) {
    ByteSource source = ByteSource::file(path);
    source.unpack_ahead();
    std::string all;
    std::string buffer(100'000, '\0');
    const auto read = [&] {
      while (const std::size_t count = source.read(buffer)) all.append(buffer, 0, count);
    };
    EXPECT_THROW(read(), InputError);
    EXPECT_TRUE(all == text);
    EXPECT_THROW(read(), InputError);
  });
}

TEST(ByteSourceTest, ZerosAfterGzipArePaddingAnythingElseIsAnError) {
  EXPECT_EQ(unpack(gzip("text") + std::string(1000, '\0'), 7), "text");
  EXPECT_THAT([] { unpack(gzip("text") + "more"); },
              ThrowsMessage<InputError>("file: something that is not gzip follows the gzip data"));
}

TEST(ByteSourceTest, DamageIsNamed) {
  std::string damaged = gzip(std::string(1000, 'a') + "b");
  EXPECT_THAT([&] { unpack(damaged.substr(0, 15)); },
              ThrowsMessage<InputError>("file: the gzip data end too early"));
  damaged[damaged.size() - 6] ^= 1;  // in the checksum
  EXPECT_THAT([&] { unpack(damaged); },
              ThrowsMessage<InputError>("file: the gzip data are damaged"));

  damaged = xz(std::string(1000, 'a') + "b");
  EXPECT_THAT([&] { unpack(damaged.substr(0, 30)); },
              ThrowsMessage<InputError>("file: the xz data end too early"));
  damaged[30] ^= 1;
  EXPECT_THAT([&] { unpack(damaged); }, ThrowsMessage<InputError>("file: the xz data are damaged"));
}

TEST(ByteSourceTest, WhatCannotBeReadIsNamed) {
  EXPECT_THAT([] { static_cast<void>(ByteSource::file("/no/such/file")); },
              ThrowsMessage<InputError>("/no/such/file: No such file or directory"));
  EXPECT_THAT([] { static_cast<void>(ByteSource::file("/")); },
              ThrowsMessage<InputError>("/: Is a directory"));
}

TEST(ByteSourceTest, CountsTheBytesOfTheFileNotThoseUnpacked) {
  const std::string packed = gzip(std::string(100'000, 'a'));
  ByteSource source = ByteSource::memory(packed, "file");
  std::array<char, 4096> buffer{};
  while (source.read(buffer) > 0) continue;
  EXPECT_EQ(source.bytes_read(), packed.size());
}

// Text that does not pack well, and everywhere as well as anywhere else.
std::string random_digits(std::size_t size) {
  std::mt19937 random(1);
  std::string text;
  for (std::size_t k = 0; k < size; ++k) text += static_cast<char>('0' + random() % 10);
  return text;
}

TEST(ByteSourceTest, KnowsHowMuchOfTheFileItHasGiven) {
  const std::string text = random_digits(8'000'000);
  for (const bool is_packed : {false, true}) {
    const std::string bytes = is_packed ? gzip(text) : text;
    ByteSource source = ByteSource::memory(bytes, "file");
    std::vector<char> buffer(1 << 16);
    std::size_t given = 0;
    std::size_t estimates = 0;
    while (const std::size_t count = source.read(buffer)) {
      given += count;
      constexpr std::size_t unused = 1000;
      const auto share = source.share_given(unused);
      if (!share) continue;
      ++estimates;
      const double truth = static_cast<double>(given - unused) / static_cast<double>(text.size());
      EXPECT_LE(*share, truth * (1 + 1e-2));
      EXPECT_GE(*share, truth * (is_packed ? 0.95 : 1 - 1e-2));
    }
    EXPECT_GE(estimates, is_packed ? 20U : 100U);
    EXPECT_EQ(source.size_hint(), is_packed ? 0 : text.size());
  }
}

TEST(ByteSourceTest, DoesNotGuessFromTheFirstBytesOfAPackedFile) {
  const std::string packed = gzip(random_digits(100'000));
  ByteSource source = ByteSource::memory(packed, "file");
  std::array<char, 4096> buffer{};
  while (source.read(buffer) > 0) EXPECT_FALSE(source.share_given(0).has_value());
}

}  // namespace
}  // namespace rampart
