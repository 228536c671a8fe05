// Rows that are parsed ahead, in blocks of any size and by any number of threads, are those that
// are read one after the other; and so is the first error.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "data/line_pieces.hpp"
#include "data/read_rows.hpp"
#include "data/support.hpp"
#include "data/with_file.hpp"

namespace rampart {
namespace {

constexpr BlockSizes one_by_one{.first = 0};

// Everything that was read, as text: NaN is equal to itself in it.
void tell(std::string& out, const Rows& x) {
  out += std::to_string(x.size()) + "x" + std::to_string(x.columns()) + (x.is_dense() ? "d" : "s");
  for (std::size_t n = 0; n < x.size(); ++n) {
    x.for_each(n, [&](std::size_t j, double value) {
      const auto bits = value != value ? 1 : std::bit_cast<std::uint64_t>(value);
      out += " " + std::to_string(j) + ":" + std::to_string(bits);
    });
    out += "\n";
  }
}

template <class Texts>
void tell_texts(std::string& out, const Texts& texts) {
  for (const auto& text : texts) out += text + "|";
  out += "\n";
}

std::string dataset_of(ByteSource source, const ReadOptions& options, const BlockSizes& sizes) {
  std::string out;
  try {
    const Dataset data = read_all(RowFiles(std::move(source), options, true, sizes), options);
    tell(out, data.x);
    for (const int y : data.y) out += y > 0 ? "+" : "-";
    for (const double weight : data.weights) out += " " + std::to_string(weight);
    tell_texts(out, data.features);
    tell_texts(out, data.groups);
    tell_texts(out, data.ids);
    for (const auto& names : data.categories) tell_texts(out, names);
    out += data.classes.negative + "/" + data.classes.positive;
  } catch (const InputError& error) {
    out = std::string("error: ") + error.what();
  }
  return out;
}

std::string batches_of(ByteSource source, const ReadOptions& options, const BlockSizes& sizes,
                       std::size_t most) {
  std::string out;
  try {
    RowFiles files(std::move(source), options, false, sizes);
    bool any = false;
    for (RowBatch batch = next_batch(files, most, any); batch.size() > 0;
         batch = next_batch(files, most, any)) {
      tell(out, batch.x);
      tell_texts(out, batch.ids);
      tell_texts(out, batch.faults);
      tell_texts(out, batch.unseen);
      for (const auto& kept : batch.kept) tell_texts(out, kept);
    }
    out += std::to_string(std::visit([](auto& reader) { return reader.widest(); }, files.reader()));
  } catch (const InputError& error) {
    out += std::string("error: ") + error.what();
  }
  return out;
}

BlockSizes any_sizes() {
  const auto first = *rc::gen::inRange<std::size_t>(1, 200);
  return {.first = first,
          .most = first * *rc::gen::element<std::size_t>(1, 2, 10),
          .piece = *rc::gen::inRange<std::size_t>(1, 100)};
}

ByteSource source_of(const std::string& text) {
  return ByteSource::memory(text, "file", *rc::gen::element<std::size_t>(1, 7, 1 << 16));
}

// Mostly a number; now and then whatever else a cell may be.
std::string any_number_cell(int strange) {
  if (*rc::gen::inRange(0, 100) >= strange) {
    return *rc::gen::element<std::string>("1", "-2.5", "0", "3.25", "1e5", "-0", "12345678.125",
                                          "0.30000000000000004", "4", "17");
  }
  if (*rc::gen::inRange(0, 10) == 0) {  // nearly always an error
    return *rc::gen::element<std::string>("a\"b", "\"", "1e999", "1,2", "inf", "12:30", "\xff");
  }
  return *rc::gen::element<std::string>(
      "", "?", "NA", " 7 ", "+5", "red", "blue", "\"6\"", "\"a,b\"", "\"x\ny\"", "\"x\r\n,1\n\"",
      "nan", "1.", ".5", "-", "--1", "1e", "0x10", "5e-324", "\t8", "99", "1 2",
      "12345678901234567890", "-.5e-3", "\"\"", "\"q\"\"q\"", "\"7\n\"", "\"\n\n\"");
}

std::string any_text_cell(int strange) {
  if (*rc::gen::inRange(0, 100) >= strange) return *rc::gen::element<std::string>("red", "blue");
  return *rc::gen::element<std::string>("green", "", "1", "1.0", "\"red\"", "\"two\nlines\"", "NA",
                                        " red", "01");
}

// A table of an id, a number or two, a text, a weight and a label.
std::string any_table(int strange, char delimiter) {
  std::string text = *rc::gen::element<std::string>("", "", "\xef\xbb\xbf", "# about it\n", "\n");
  const bool header = *rc::gen::arbitrary<bool>();
  const auto separator = std::string(delimiter == ' ' ? "  " : std::string(1, delimiter));
  const std::string line_end = *rc::gen::element<std::string>("\n", "\r\n");
  const auto add_row = [&](const std::vector<std::string>& cells) {
    for (std::size_t k = 0; k < cells.size(); ++k) text += (k > 0 ? separator : "") + cells[k];
    text += line_end;
  };
  if (header) add_row({"who", "a", "b", "colour", "w", "y"});
  const auto count = *rc::gen::inRange(2, 60);
  for (int n = 0; n < count; ++n) {
    if (*rc::gen::inRange(0, 1000) < 10 * strange) {
      text += *rc::gen::element<std::string>("\n", "# a comment\n", "  \n", "\r\n",
                                             separator + separator + "\n");
    }
    if (*rc::gen::inRange(0, 1000) < strange) {
      text += *rc::gen::element<std::string>("1,2\n", "a,1,2,red,1,yes,more\n", "\"# not\n");
    }
    std::vector<std::string> cells = {"r" + std::to_string(n),
                                      any_number_cell(strange),
                                      any_number_cell(strange),
                                      any_text_cell(strange),
                                      "1.5",
                                      n % 2 == 0 ? "yes" : "no"};
    if (*rc::gen::inRange(0, 1000) < strange) cells[4] = *rc::gen::element<std::string>("0", "-1");
    if (*rc::gen::inRange(0, 1000) < strange) {
      cells[5] = *rc::gen::element<std::string>("", "?", "maybe", "\"yes\"", " no ");
    }
    add_row(cells);
  }
  if (*rc::gen::inRange(0, 4) == 0) text.resize(text.size() - line_end.size());
  if (strange > 0 && *rc::gen::inRange(0, 50) == 0) {
    text[*rc::gen::inRange<std::size_t>(0, text.size())] = '\0';
  }
  return text;
}

RC_GTEST_PROP(Blocks, TablesAreReadAsRowByRow, ()) {
  const int strange = *rc::gen::element(0, 0, 1, 3, 20);
  const char delimiter = *rc::gen::element(',', ';', '\t', '|', ' ');
  const std::string text = any_table(strange, delimiter);
  ReadOptions options;
  if (*rc::gen::arbitrary<bool>()) options.delimiter = delimiter;
  if (*rc::gen::arbitrary<bool>()) options.format = Format::csv;
  if (*rc::gen::arbitrary<bool>()) options.id = "1";
  if (*rc::gen::arbitrary<bool>()) options.weight = "5";
  if (*rc::gen::inRange(0, 3) == 0) options.group = "4";
  if (*rc::gen::inRange(0, 3) == 0) options.categorical = {"3"};
  if (*rc::gen::inRange(0, 3) == 0) options.missing_values = {"99", "blue"};
  if (*rc::gen::inRange(0, 5) == 0) options.refuse_missing = true;
  options.max_categories = *rc::gen::element<std::size_t>(5, 100, 100, 100);
  if (*rc::gen::inRange(0, 20) == 0) options.limits.cell_bytes = 18;
  if (*rc::gen::inRange(0, 20) == 0) options.limits.line_bytes = 45;
  const std::string expected = dataset_of(source_of(text), options, one_by_one);
  options.threads = *rc::gen::element(1U, 2U, 3U);
  RC_CLASSIFY(expected.starts_with("error"));
  RC_ASSERT(dataset_of(source_of(text), options, any_sizes()) == expected);
}

RC_GTEST_PROP(Blocks, StreamsOfTablesAreReadAsRowByRow, ()) {
  const int strange = *rc::gen::element(0, 1, 5, 20);
  const char delimiter = *rc::gen::element(',', '\t', ' ');
  const std::string text = any_table(strange, delimiter);
  ReadOptions options{.format = Format::csv, .delimiter = delimiter};
  options.label = "6";
  options.id = "1";
  options.expected = FeatureLayout{.count = 3};
  options.expected->categories = {{}, {}, {"blue", "red"}};
  options.ignore = {"5"};
  options.tolerate_faults = *rc::gen::inRange(0, 4) != 0;
  if (*rc::gen::arbitrary<bool>()) options.keep = {"2", "5"};
  if (*rc::gen::inRange(0, 5) == 0) options.refuse_missing = true;
  const auto most = *rc::gen::element<std::size_t>(1, 3, 1000);
  const std::string expected = batches_of(source_of(text), options, one_by_one, most);
  options.threads = *rc::gen::element(1U, 2U, 3U);
  RC_CLASSIFY(expected.find("error") != expected.npos);
  RC_ASSERT(batches_of(source_of(text), options, any_sizes(), most) == expected);
}

std::string any_libsvm(int strange) {
  std::string text;
  const auto count = *rc::gen::inRange(2, 60);
  for (int n = 0; n < count; ++n) {
    const auto is_strange = [&] { return *rc::gen::inRange(0, 100) < strange; };
    text += n % 2 == 0 ? "+1" : "-1";
    if (is_strange())
      text += *rc::gen::element<std::string>("\n", "\n\n# none", " 1:0 #", "  ", " # 3:");
    int index = 0;
    const auto features = *rc::gen::inRange(0, 6);
    for (int k = 0; k < features; ++k) {
      index += *rc::gen::inRange(1, 5);
      text += " " + std::to_string(index) + ":";
      text += *rc::gen::element<std::string>("1", "-0.5", "0", "1e-5", "0.1234567890123456789");
      if (is_strange()) {
        text += *rc::gen::element<std::string>("  ", "\t", " # 7:7", "\r", " ", " ");
      }
      if (*rc::gen::inRange(0, 2000) < strange) {
        text += *rc::gen::element<std::string>(" 1:1", " x", ":", " 99:1e999", " qid:1", " 90:1.",
                                               " 80:nan", " 70:");
      }
    }
    text += "\n";
  }
  if (*rc::gen::inRange(0, 4) == 0) text.pop_back();
  if (strange > 0 && *rc::gen::inRange(0, 50) == 0) {
    text[*rc::gen::inRange<std::size_t>(0, text.size())] = '\0';
  }
  return text;
}

RC_GTEST_PROP(Blocks, LibsvmFilesAreReadAsRowByRow, ()) {
  const std::string text = any_libsvm(*rc::gen::element(0, 0, 1, 5, 20));
  ReadOptions options{.format = Format::libsvm};
  if (*rc::gen::inRange(0, 20) == 0) options.limits.line_bytes = 60;
  const std::string expected = dataset_of(source_of(text), options, one_by_one);
  options.threads = *rc::gen::element(1U, 2U, 3U);
  RC_CLASSIFY(expected.starts_with("error"));
  RC_ASSERT(dataset_of(source_of(text), options, any_sizes()) == expected);
}

RC_GTEST_PROP(Blocks, StreamsOfLibsvmFilesAreReadAsRowByRow, ()) {
  const std::string text = any_libsvm(*rc::gen::element(0, 1, 5, 20));
  ReadOptions options{.format = Format::libsvm};
  options.expected = FeatureLayout{.count = *rc::gen::element<std::size_t>(8, 100, 100'000)};
  options.tolerate_faults = *rc::gen::inRange(0, 4) != 0;
  const auto most = *rc::gen::element<std::size_t>(1, 3, 1000);
  const std::string expected = batches_of(source_of(text), options, one_by_one, most);
  options.threads = *rc::gen::element(1U, 2U, 3U);
  RC_ASSERT(batches_of(source_of(text), options, any_sizes(), most) == expected);
}

// The blocks that files are really read with: more than one, more than one piece each.
TEST(Blocks, LargeFilesAreReadAsRowByRow) {
  std::string table = "a,b,c,y\n";
  std::string sparse;
  for (int n = 0; n < 60'000; ++n) {
    const std::string odd = n % 9'000 == 8'999 ? "\"2\n\"" : n == 50'000 ? "?" : "2";
    const std::string colour = n > 40'000 && n % 1000 == 0 ? "late" : n % 2 == 0 ? "red" : "blue";
    table += std::to_string(n) + "." + std::to_string(n % 7) + "," + odd + "," + colour + "," +
             (n % 3 == 0 ? "yes" : "no") + "\n";
    sparse += (n % 3 == 0 ? "1 " : "-1 ") + std::to_string(1 + n % 1000) + ":0." +
              std::to_string(n) + " 2000:3\n";
  }
  for (const std::string& text : {table, sparse}) {
    const auto source = [&] { return ByteSource::memory(text, "file"); };
    ReadOptions options;
    const std::string expected = dataset_of(source(), options, one_by_one);
    EXPECT_FALSE(expected.starts_with("error")) << expected;
    for (const unsigned threads : {1U, 2U, 3U}) {
      options.threads = threads;
      EXPECT_EQ(dataset_of(source(), options, {}) == expected, true) << threads;
    }
  }
}

// Lines longer than the first blocks, and longer than the room for the beginning of one.
TEST(Blocks, LongLinesAreReadAsRowByRow) {
  std::string table;
  for (int n = 0; n < 24; ++n) {
    for (int j = 0; j < 10'000 * (1 + n % 3); ++j) table += std::to_string((n * j) % 1000) + ".5 ";
    table += n % 2 == 0 ? "yes\n" : " no \n";
  }
  std::string sparse;
  for (int n = 0; n < 24; ++n) {
    sparse += n % 2 == 0 ? "+1" : "-1";
    for (int j = 1; j < 10'000 * (1 + n % 3); ++j) sparse += " " + std::to_string(2 * j) + ":0.25";
    sparse += "\n";
  }
  ReadOptions as_table{.format = Format::csv, .delimiter = ' '};
  as_table.expected = FeatureLayout{.count = 10'000};
  as_table.tolerate_faults = true;
  ReadOptions as_sparse{.format = Format::libsvm};
  as_sparse.expected = FeatureLayout{.count = 100'000};
  for (const bool is_table : {true, false}) {
    const std::string& text = is_table ? table : sparse;
    ReadOptions options = is_table ? as_table : as_sparse;
    const auto source = [&] { return ByteSource::memory(text, "file", 1 << 20); };
    const std::string expected = batches_of(source(), options, one_by_one, 100);
    EXPECT_EQ(expected.find("error"), expected.npos) << expected.substr(expected.find("error"));
    for (const unsigned threads : {1U, 2U}) {
      options.threads = threads;
      EXPECT_TRUE(batches_of(source(), options, {}, 100) == expected);
    }
  }
}

TEST(Blocks, APieceIsWholeLines) {
  const std::string text = "a\nbcd\n\n\nefghijklm\nn\n";
  for (std::size_t size = 0; size < 30; ++size) {
    std::string joined;
    for (const std::string_view piece : cut_at_lines(text, size)) {
      EXPECT_TRUE(piece.ends_with('\n'));
      joined += piece;
    }
    EXPECT_EQ(joined, text);
  }
}

RC_GTEST_PROP(Blocks, CharactersAreCounted, (const std::string& some)) {
  std::string text;
  for (int k = 0; k < 9; ++k) text += some + ":";
  RC_ASSERT(count_of(':', text) == static_cast<std::size_t>(std::ranges::count(text, ':')));
}

}  // namespace
}  // namespace rampart
