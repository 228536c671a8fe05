#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "data/convert_rows.hpp"
#include "data/mapped_file.hpp"
#include "data/output_file.hpp"
#include "data/rows_format.hpp"
#include "rampart/errors.hpp"
#include "rampart/io.hpp"
#include "rampart/rows_file.hpp"

namespace rampart {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// A name for a file that is removed with it.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& name = "data.rows")
      : path_(testing::TempDir() + "rampart_" + std::to_string(::getpid()) + "_" + name) {}
  ~TemporaryFile() { std::remove(path_.c_str()); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

  [[nodiscard]] std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(std::string_view bytes) const {
    std::ofstream file(path_, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  void write_byte(std::size_t place, char byte) const {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(place)).put(byte);
  }

 private:
  std::string path_;
};

std::string error_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// The same data to the last bit; NaN equals NaN.
void expect_same(const Dataset& a, const Dataset& b) {
  ASSERT_EQ(a.x.size(), b.x.size());
  ASSERT_EQ(a.x.columns(), b.x.columns());
  ASSERT_EQ(a.x.is_dense(), b.x.is_dense());
  for (std::size_t n = 0; n < a.x.size(); ++n) {
    std::vector<std::pair<std::size_t, std::uint64_t>> left;
    std::vector<std::pair<std::size_t, std::uint64_t>> right;
    a.x.for_each(n,
                 [&](auto j, double v) { left.emplace_back(j, std::bit_cast<std::uint64_t>(v)); });
    b.x.for_each(n,
                 [&](auto j, double v) { right.emplace_back(j, std::bit_cast<std::uint64_t>(v)); });
    ASSERT_EQ(left, right) << "row " << n;
  }
  EXPECT_EQ(a.y, b.y);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(a.weights, b.weights);
  EXPECT_EQ(a.features, b.features);
  EXPECT_EQ(a.groups, b.groups);
  EXPECT_EQ(a.categories, b.categories);
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.label, b.label);
  EXPECT_EQ(a.id, b.id);
  EXPECT_EQ(a.fields, b.fields);
  EXPECT_EQ(a.file_columns, b.file_columns);
  EXPECT_EQ(a.missing_values, b.missing_values);
}

struct Kind {
  bool dense = true;
  bool everything = false;  // weights, ids, groups, names, categories
};

Dataset make_data(std::size_t rows, std::size_t columns, Kind kind, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto number = [&] { return std::ldexp(static_cast<double>(random() >> 11), -53) * 4 - 2; };
  Dataset data;
  std::vector<double> values;
  std::vector<std::size_t> starts = {0};
  std::vector<std::uint32_t> indices;
  for (std::size_t n = 0; n < rows; ++n) {
    const bool empty = n % 5 == 3;
    for (std::size_t j = 0; j < columns; ++j) {
      if (kind.dense) {
        const bool categorical = kind.everything && j == 1;
        const bool missing = random() % 7 == 0 && (categorical || j == 0);
        values.push_back(missing       ? nan
                         : categorical ? static_cast<double>(random() % 3)
                                       : number());
      } else if (!empty && random() % 9 == 0) {
        indices.push_back(static_cast<std::uint32_t>(j));
        values.push_back(number());
      }
    }
    starts.push_back(values.size());
    data.y.push_back(n % 3 == 0 ? 1 : -1);
    if (!kind.everything) continue;
    data.weights.push_back(0.5 + static_cast<double>(n % 4));
    data.ids.push_back("id " + std::to_string(n * n) + (n % 2 == 0 ? "" : " ä"));
    data.groups.push_back(n % 4 == 0 ? "" : "g" + std::to_string(n / 3));
  }
  data.x = kind.dense ? Rows::dense(columns, values, rows)
                      : Rows::sparse(columns, starts, indices, values);
  data.classes = {"healthy", "ill"};
  data.label = "status";
  if (!kind.everything) return data;
  data.id = "who";
  for (std::size_t j = 0; j < columns; ++j) {
    data.features.push_back("column, " + std::to_string(j) + " \"ü\"");
    data.fields.push_back(static_cast<std::uint32_t>(j + 2));
  }
  data.file_columns = columns + 3;
  data.missing_values = {"-99", "unknown"};
  if (kind.dense) {
    data.categories.resize(columns);
    data.categories[1] = {"no", "perhaps", "yes"};
  }
  return data;
}

TEST(RowsFile, ReadsBackToTheSameBits) {
  const TemporaryFile file;
  for (const Kind kind :
       {Kind{true, false}, Kind{true, true}, Kind{false, false}, Kind{false, true}}) {
    for (const std::size_t rows : {2UL, 7UL, 1000UL}) {
      const Dataset data = make_data(rows, 30, kind, static_cast<unsigned>(rows));
      EXPECT_EQ(write_rows_file(data, file.path(), {.block_bytes = 4096}), 0U);
      EXPECT_TRUE(is_rows_file(file.path()));
      expect_same(read_dataset(file.path()), data);
    }
  }
}

TEST(RowsFile, IsReadInPlaceAsTheSameProblem) {
  const TemporaryFile file;
  const Dataset data = make_data(50, 6, {true, true}, 1);
  write_rows_file(data, file.path());
  const MappedDataset mapped(file.path(), {.check_now = false});
  const Problem problem = mapped.problem();
  EXPECT_TRUE(problem.x.is_kept());
  ASSERT_EQ(problem.size(), data.size());
  for (std::size_t n = 0; n < data.size(); ++n) {
    problem.x.range(n, n + 1).ensure_readable();
    problem.x.with_dense_row(n, [&](auto row) {
      for (std::size_t j = 0; j < row.size(); ++j) {
        EXPECT_EQ(std::bit_cast<std::uint64_t>(double{row[j]}),
                  std::bit_cast<std::uint64_t>(data.x.dense_row(n)[j]));
      }
    });
    EXPECT_EQ(problem.y[n], data.y[n]);
    EXPECT_EQ(problem.groups[n], data.groups[n]);
  }
}

TEST(RowsFile, Float32HoldsTheNearestFloatsAndCountsWhatWasRounded) {
  const TemporaryFile file;
  Dataset data;
  data.x = Rows::dense(2, {0.5, 0.1, nan, -3, 1e-50, 16777216});
  data.y = {1, -1, 1};
  EXPECT_EQ(write_rows_file(data, file.path(), {.float32 = true}), 2U);
  const Dataset read = read_dataset(file.path());
  EXPECT_EQ(read.x.dense_row(0)[0], 0.5);
  EXPECT_EQ(read.x.dense_row(0)[1], double{0.1F});
  EXPECT_TRUE(std::isnan(read.x.dense_row(1)[0]));
  EXPECT_EQ(read.x.dense_row(2)[1], 16777216);
  data.x = Rows::dense(2, {0, 0, 0, 1e300, 0, 0});
  EXPECT_EQ(error_of([&] { write_rows_file(data, file.path(), {.float32 = true}); }),
            "row 2: feature 2 is 1e+300, beyond the range of float32; write float64");
  EXPECT_EQ(read_dataset(file.path()).x.dense_row(0)[0], 0.5) << "the file before it has stayed";
}

TEST(RowsFile, EveryCutLengthIsRefused) {
  const TemporaryFile file;
  write_rows_file(make_data(9, 3, {true, true}, 2), file.path());
  const std::string whole = file.bytes();
  for (std::size_t length = whole.size(); length-- > 0;) {
    ASSERT_EQ(::truncate(file.path().c_str(), static_cast<off_t>(length)), 0);
    const std::string error = error_of([&] { MappedDataset(file.path()); });
    ASSERT_NE(error, "") << length;
    ASSERT_TRUE(error.starts_with(file.path() + ": ")) << error;
    ASSERT_TRUE(length <= 4096 || error.find("is cut short; convert it again") != error.npos)
        << error;
  }
  file.write(whole + "x");
  EXPECT_NE(error_of([&] { MappedDataset(file.path()); }).find("was added to"), std::string::npos);
}

// Every byte that means something is covered by a checksum.
TEST(RowsFile, EveryFlippedBitIsRefused) {
  const TemporaryFile file;
  for (const bool dense : {true, false}) {
    write_rows_file(make_data(20, 12, {dense, true}, 3), file.path());
    const std::string whole = file.bytes();
    std::vector<bool> covered(whole.size(), false);
    std::fill_n(covered.begin(), 4096, true);
    for (const Section& section : decode_rows_header(whole, whole.size(), "").sections) {
      std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(section.offset), section.bytes,
                  true);
    }
    for (std::size_t place = 0; place < whole.size();
         place += place < 4096 && place > 400 ? 37 : 1) {
      file.write_byte(place, static_cast<char>(whole[place] ^ (1 << place % 8)));
      const std::string error = error_of([&] { static_cast<void>(read_dataset(file.path())); });
      ASSERT_EQ(error != "", covered[place]) << place << ": " << error;
      file.write_byte(place, whole[place]);
    }
  }
}

TEST(RowsFile, AWrongChecksumNamesBlockAndRows) {
  const TemporaryFile file;
  write_rows_file(make_data(2000, 8, {true, false}, 4), file.path(), {.block_bytes = 4096});
  std::string bytes = file.bytes();
  bytes[4096 + 5 * 4096] ^= 1;  // in the sixth block of the values
  file.write(bytes);
  const MappedDataset mapped(file.path(), {.check_now = false});
  const Problem problem = mapped.problem();
  const std::string error = error_of([&] { problem.x.range(300, 400).ensure_readable(); });
  EXPECT_NE(
      error.find("block 6 of its values has a wrong checksum (rows 1 to 2000); convert it again"),
      error.npos)
      << error;
  EXPECT_NE(error_of([&] { mapped.check_all(); }), "");
}

// A file with right checksums, made to lead a reader astray.
class Forged {
 public:
  explicit Forged(const std::string& bytes)
      : bytes_(bytes), header_(decode_rows_header(bytes, bytes.size(), "")) {}

  template <class Number>
  void put(SectionKind kind, std::size_t place, Number number) {
    std::memcpy(bytes_.data() + header_.find(kind)->offset + place * sizeof number, &number,
                sizeof number);
  }
  RowsHeader& header() { return header_; }

  [[nodiscard]] std::string finish() {
    std::vector<std::uint64_t> sums;
    for (const Section& section : header_.sections) {
      if (section.kind == SectionKind::checksums) continue;
      for (std::uint64_t at = 0; at < section.bytes; at += header_.block_bytes) {
        sums.push_back(checksum(std::string_view(bytes_).substr(
            section.offset + at, std::min(header_.block_bytes, section.bytes - at))));
      }
    }
    const Section* table = header_.find(SectionKind::checksums);
    const std::string_view bytes(reinterpret_cast<const char*>(sums.data()), sums.size() * 8);
    bytes.copy(bytes_.data() + table->offset, bytes.size());
    header_.checksum_of_checksums = checksum(bytes);
    const auto header = encode(header_);
    std::copy(header.begin(), header.end(), bytes_.begin());
    return bytes_;
  }

 private:
  std::string bytes_;
  RowsHeader header_;
};

TEST(RowsFile, RightChecksumsDoNotMakeAFileTrusted) {
  const TemporaryFile file;
  const auto error_after = [&](bool dense, const std::function<void(Forged&)>& change) {
    write_rows_file(make_data(20, 12, {dense, true}, 5), file.path());
    Forged forged(file.bytes());
    change(forged);
    file.write(forged.finish());
    return error_of([&] { static_cast<void>(read_dataset(file.path())); });
  };
  const auto good = [](Forged&) {};
  EXPECT_EQ(error_after(true, good), "");
  EXPECT_EQ(error_after(false, good), "");
  using enum SectionKind;
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_NE(error_after(false, [](Forged& f) { f.put(indices, 3, std::uint32_t{12}); }), "");
  EXPECT_NE(error_after(false, [](Forged& f) { f.put(starts, 1, ~std::uint64_t{0}); }), "");
  EXPECT_NE(error_after(false, [](Forged& f) { f.put(starts, 0, std::uint64_t{1}); }), "");
  EXPECT_NE(error_after(false, [](Forged& f) { f.put(starts, 20, std::uint64_t{1}); }), "");
  EXPECT_NE(error_after(false, [&](Forged& f) { f.put(values, 0, infinity); }), "");
  EXPECT_NE(error_after(true, [&](Forged& f) { f.put(values, 30, -infinity); }), "");
  EXPECT_NE(error_after(true, [](Forged& f) { f.put(values, 13, 3.0); }), "")
      << "a fourth category";
  EXPECT_NE(error_after(true, [](Forged& f) { f.put(values, 13, 0.5); }), "");
  EXPECT_NE(error_after(true, [](Forged& f) { f.put(values, 13, -2.0); }), "");
  EXPECT_NE(error_after(true, [](Forged& f) { f.put(labels, 0, std::int8_t{0}); }), "");
  EXPECT_NE(error_after(true, [](Forged& f) { f.put(weights, 0, -1.0); }), "");
  EXPECT_NE(error_after(true, [](Forged& f) { f.put(weights, 0, nan); }), "");
  EXPECT_NE(error_after(true, [](Forged& f) { f.put(id_starts, 4, ~std::uint64_t{0}); }), "");
  EXPECT_NE(error_after(true, [](Forged& f) { f.put(id_bytes, 0, '\xff'); }), "");
  EXPECT_NE(error_after(true, [](Forged& f) { f.put(columns, 0, '['); }), "");
  for (const std::uint64_t absurd :
       {std::uint64_t{0}, std::uint64_t{1} << 32, std::uint64_t{1} << 61, ~std::uint64_t{0}}) {
    EXPECT_NE(error_after(true, [&](Forged& f) { f.header().rows = absurd; }), "");
    EXPECT_NE(error_after(false, [&](Forged& f) { f.header().rows = absurd; }), "");
    EXPECT_NE(error_after(true, [&](Forged& f) { f.header().columns = absurd; }), "");
    EXPECT_NE(error_after(false, [&](Forged& f) { f.header().columns = absurd; }), "");
    EXPECT_NE(error_after(false, [&](Forged& f) { f.header().stored = absurd; }), "");
  }
}

TEST(RowsFile, ANewerVersionAndTheOtherByteOrderAreNamed) {
  const TemporaryFile file;
  write_rows_file(make_data(9, 3, {}, 6), file.path());
  std::string bytes = file.bytes();
  bytes[8] = 2;
  file.write(bytes);
  EXPECT_NE(error_of([&] { MappedDataset(file.path()); }).find("has version 2, and this program"),
            std::string::npos);
  std::reverse(bytes.begin() + 12, bytes.begin() + 16);
  file.write(bytes);
  EXPECT_NE(error_of([&] { MappedDataset(file.path()); }).find("other byte order"),
            std::string::npos);
}

TEST(RowsFile, AFileThatChangesWhileItIsReadIsNoticed) {
  const TemporaryFile file;
  write_rows_file(make_data(9, 3, {}, 7), file.path());
  const MappedDataset mapped(file.path());
  const Problem problem = mapped.problem();
  problem.x.ensure_readable();
  const timespec times[2] = {{.tv_sec = 1, .tv_nsec = 0}, {.tv_sec = 1, .tv_nsec = 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, file.path().c_str(), times, 0), 0);
  EXPECT_EQ(error_of([&] { problem.x.range(1, 2).ensure_readable(); }),
            file.path() + ": has changed while it was read; run the command again");
}

TEST(RowsFile, SeveralThreadsMayCheckTheSameRows) {
  const TemporaryFile file;
  write_rows_file(make_data(5000, 20, {false, false}, 8), file.path(), {.block_bytes = 4096});
  const MappedDataset mapped(file.path(), {.check_now = false});
  const RowsView x = mapped.problem().x;
  std::vector<std::jthread> threads;
  for (int k = 0; k < 4; ++k) {
    threads.emplace_back([&] {
      for (std::size_t n = 0; n < 5000; n += 100) x.range(n, n + 100).ensure_readable();
    });
  }
}

TEST(RowsFile, SeveralFilesAreOneDataSet) {
  for (const bool dense : {true, false}) {
    const Dataset data = make_data(100, 7, {dense, true}, 9);
    const TemporaryFile a("a");
    const TemporaryFile b("b");
    const TemporaryFile c("c");
    const std::vector<std::string> paths = {a.path(), b.path(), c.path()};
    const std::vector<std::size_t> cuts = {0, 1, 60, 100};
    for (std::size_t k = 0; k < 3; ++k) {
      std::vector<std::size_t> which;
      for (std::size_t n = cuts[k]; n < cuts[k + 1]; ++n) which.push_back(n);
      Dataset part = data.subset(which);
      if (k == 0) part.y[0] = data.y[0];
      write_rows_file(part, paths[k]);
    }
    const MappedDataset mapped(paths);
    const Problem all = mapped.problem();
    Dataset copy = data;
    copy.x = all.x.to_rows();
    copy.y = {all.y.begin(), all.y.end()};
    copy.weights = {all.weights.begin(), all.weights.end()};
    copy.ids = {all.ids.begin(), all.ids.end()};
    copy.groups = {all.groups.begin(), all.groups.end()};
    expect_same(copy, data);
    // Ranges, whether they lie in one file or not, and selections.
    const RowsView whole = data.x;
    for (const auto& [begin, end] : {std::pair(0UL, 1UL),
                                     {0UL, 2UL},
                                     {1UL, 60UL},
                                     {59UL, 61UL},
                                     {30UL, 100UL},
                                     {60UL, 60UL},
                                     {61UL, 99UL}}) {
      all.x.range(begin, end).ensure_readable();
      Dataset left;
      Dataset right;
      left.x = all.x.range(begin, end).to_rows();
      right.x = whole.range(begin, end).to_rows();
      expect_same(left, right);
      if (end - begin < 2) continue;
      left.x = all.x.range(begin, end).range(1, end - begin).to_rows();
      right.x = whole.range(begin + 1, end).to_rows();
      expect_same(left, right);
    }
    const std::vector<std::size_t> some = {99, 0, 60, 59, 59};
    Dataset left;
    Dataset right;
    left.x = all.x.rows(some).to_rows();
    right.x = whole.rows(some).to_rows();
    expect_same(left, right);
    all.x.rows(some).ensure_readable();
    EXPECT_EQ(all.x.stored_values(), whole.stored_values());
  }
}

TEST(RowsFile, FilesOfDifferentColumnsAreNotOneDataSet) {
  const TemporaryFile a("a");
  const TemporaryFile b("b");
  const std::vector<std::string> paths = {a.path(), b.path()};
  Dataset data = make_data(20, 4, {true, true}, 10);
  write_rows_file(data, a.path());
  const auto error_with = [&](const std::function<void(Dataset&)>& change) {
    Dataset other = data;
    change(other);
    write_rows_file(other, b.path());
    return error_of([&] { MappedDataset mapped(paths); });
  };
  EXPECT_EQ(error_with([](Dataset&) {}), "");
  EXPECT_EQ(error_with([](Dataset& d) { d.features[2] = "else"; }),
            b.path() + ": cannot be one data set with " + a.path() +
                ": other columns; convert the texts together");
  EXPECT_NE(error_with([](Dataset& d) { d.categories[1][0] = "never"; }), "");
  EXPECT_NE(error_with([](Dataset& d) { d.classes.positive = "sick"; }), "");
  EXPECT_NE(error_with([](Dataset& d) { d.weights.clear(); }), "");
  EXPECT_NE(error_with([](Dataset& d) { d.ids.clear(); }), "");
}

TEST(RowsFile, TheOtherClassMayBeThePositiveOne) {
  const TemporaryFile file;
  const Dataset data = make_data(10, 3, {}, 11);
  write_rows_file(data, file.path());
  const Dataset swapped = read_dataset(file.path(), {.positive = "healthy"});
  EXPECT_EQ(swapped.classes, (ClassNames{"ill", "healthy"}));
  for (std::size_t n = 0; n < data.size(); ++n) EXPECT_EQ(swapped.y[n], -data.y[n]);
  EXPECT_NE(error_of([&] { static_cast<void>(read_dataset(file.path(), {.positive = "x"})); }), "");
  ReadOptions model;
  model.classes = ClassNames{"ill", "healthy"};
  EXPECT_EQ(read_dataset(file.path(), model).y, swapped.y);
}

// What a model expects, in the order and with the categories of the model.
TEST(RowsFile, ColumnsAndCategoriesBecomeThoseOfTheModel) {
  const TemporaryFile file;
  Dataset data;
  data.x = Rows::dense(3, {1, 0, 5, 2, 1, 6, nan, 2, 7});
  data.y = {1, -1, 1};
  data.features = {"a", "b", "c"};
  data.categories = {{}, {"blue", "green", "red"}, {}};
  write_rows_file(data, file.path());
  ReadOptions options;
  options.expected = FeatureLayout{.count = 3,
                                   .names = {"c", "b", "a"},
                                   .label = "",
                                   .categories = {{}, {"green", "red"}, {"1", "2"}},
                                   .id = ""};
  RowStream stream(file.path(), options);
  const RowBatch first = stream.next(2);
  ASSERT_EQ(first.size(), 2U);
  EXPECT_EQ(first.x.dense_row(0)[0], 5);
  EXPECT_EQ(first.x.dense_row(0)[1], unseen_category);
  EXPECT_EQ(first.x.dense_row(0)[2], 0);
  EXPECT_EQ(first.x.dense_row(1)[1], 0);
  EXPECT_EQ(first.x.dense_row(1)[2], 1);
  EXPECT_EQ(first.unseen, (std::vector<std::string>{"blue", ""}));
  const RowBatch second = stream.next(2);
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second.x.dense_row(0)[1], 1);
  EXPECT_TRUE(std::isnan(second.x.dense_row(0)[2]));
  EXPECT_EQ(stream.next(2).size(), 0U);
  options.expected->names[0] = "d";
  EXPECT_EQ(error_of([&] { RowStream(file.path(), options); }),
            file.path() + ": no column 'd', which the model needs");
}

TEST(RowsFile, OptionsThatWereDecidedBeforeAreRefused) {
  const TemporaryFile file;
  write_rows_file(make_data(10, 3, {true, true}, 12), file.path());
  EXPECT_EQ(read_dataset(file.path(), {.label = "status"}).size(), 10U);
  EXPECT_NE(error_of([&] { static_cast<void>(read_dataset(file.path(), {.label = "other"})); }),
            "");
  EXPECT_NE(error_of([&] { static_cast<void>(read_dataset(file.path(), {.ignore = {"1"}})); }), "");
}

// Text becomes the same rows whether it is read at once or converted in batches, from one file or
// from several.
TEST(ConvertToRows, HoldsWhatReadingTheTextGives) {
  std::mt19937_64 random(13);
  for (int trial = 0; trial < 60; ++trial) {
    const TemporaryFile text("text");
    const TemporaryFile more("more");
    const TemporaryFile file;
    const bool table = trial % 3 != 0;
    const std::size_t rows = 5 + random() % 400;
    const std::size_t turn = random() % rows;  // the row where a column of numbers gets a text
    const std::size_t second = 1 + random() % (2 * rows);  // the first row of the second file
    const std::string header = table ? "id,a,kind,late,w,g,y\n" : "";
    std::vector<std::string> paths = {text.path()};
    std::string lines = header;
    for (std::size_t n = 0; n < rows; ++n) {
      if (n == second) {
        text.write(std::exchange(lines, header));
        paths.push_back(more.path());
      }
      const std::string label = n % 2 == 0 ? "yes" : "no";
      if (table) {
        const char* const kinds[] = {"red", "blue", "7", "", "black", "7.0"};
        lines += "r" + std::to_string(n) + "," +
                 std::to_string(static_cast<double>(random() % 1000) / 7) + "," +
                 kinds[random() % 6] + "," +
                 (n == turn     ? "text"
                  : n % 11 == 5 ? "?"
                                : std::to_string(random() % 20)) +
                 "," + std::to_string(1 + random() % 3) + ",g" + std::to_string(n / 4) + "," +
                 label + "\n";
      } else {
        lines += n % 2 == 0 ? "+1" : "-1";
        for (std::size_t j = 1; j <= 8 + n / 100; ++j) {
          if (random() % 10 < (trial % 2 == 0 ? 8U : 1U)) {
            lines += " " + std::to_string(j) + ":" + std::to_string(random() % 5);
          }
        }
        lines += "\n";
      }
    }
    (paths.size() == 1 ? text : more).write(lines);
    ReadOptions options;
    if (table) {
      options.id = "id";
      options.weight = "w";
      options.group = "g";
      options.categorical =
          trial % 2 == 0 ? std::vector<std::string>{} : std::vector<std::string>{"late"};
    }
    const Dataset expected = read_dataset(paths, options);
    OutputFile output(file.path());
    const ConvertedRows converted =
        convert_to_rows(paths, options, output, {.block_bytes = 4096},
                        {.values = 1 + random() % 500, .least_rows = 1 + random() % 20});
    output.commit();
    EXPECT_EQ(converted.rows, rows);
    expect_same(read_dataset(file.path()), expected);
  }
}

TEST(RowsFile, TextIsNoPartOfADataSetOfRows) {
  const TemporaryFile rows;
  const TemporaryFile text("text");
  write_rows_file(make_data(10, 3, {}, 14), rows.path());
  text.write("a,b,c,y\n1,2,3,p\n4,5,6,n\n");
  const std::string end = " is another kind; the files of a data set must have the same format";
  const auto complaint = [](const std::vector<std::string>& paths) {
    return error_of([&] { static_cast<void>(read_dataset(paths)); });
  };
  EXPECT_EQ(complaint({rows.path(), text.path()}),
            text.path() + ": is text, and " + rows.path() + end);
  EXPECT_EQ(complaint({text.path(), rows.path()}),
            rows.path() + ": holds rows in binary form, and " + text.path() + end);
}

TEST(ConvertToRows, RefusesWhatReadingRefusesAndLeavesNothing) {
  const TemporaryFile text("text");
  const TemporaryFile file;
  std::string many = "a,y\n";
  for (int n = 0; n < 300; ++n) many += std::to_string(n) + ",p\n";
  for (const std::string& lines :
       {many + "x,n\n", std::string("a,y\n1,p\n2,p\n"), std::string("a,y\n1,p\n2,\n3,n\n"),
        std::string("a,y\n1,p\n2\n"), std::string(""), std::string("a,y\n?,p\n?,n\n"),
        std::string("1 1:1\n-1 1:x\n")}) {
    text.write(lines);
    const std::string expected = error_of([&] { static_cast<void>(read_dataset(text.path())); });
    const std::vector<std::string> paths = {text.path()};
    const std::string error = error_of([&] {
      OutputFile output(file.path());
      static_cast<void>(convert_to_rows(paths, {}, output, {}, {.values = 1, .least_rows = 10}));
      output.commit();
    });
    EXPECT_NE(expected, "");
    EXPECT_EQ(error, expected);
    EXPECT_FALSE(std::ifstream(file.path()).good());
  }
}

}  // namespace
}  // namespace rampart
