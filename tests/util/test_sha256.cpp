#include "util/sha256.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

namespace rampart {
namespace {

std::string sha256(std::string_view bytes) {
  Sha256 digest;
  digest.add(bytes);
  return digest.finish();
}

TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                   "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, GivesDifferentDigestsForEveryLengthOfTheLastBlock) {
  std::string last;
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string digest = sha256(std::string(size, '\0'));
    EXPECT_EQ(digest.size(), 64U);
    EXPECT_NE(digest, last);
    last = digest;
  }
}

RC_GTEST_PROP(Sha256, DoesNotDependOnThePiecesInWhichBytesArrive,
              (const std::vector<std::string>& pieces)) {
  Sha256 digest;
  std::string whole;
  for (const std::string& piece : pieces) {
    digest.add(piece);
    whole += piece;
  }
  RC_ASSERT(digest.finish() == sha256(whole));
}

}  // namespace
}  // namespace rampart
