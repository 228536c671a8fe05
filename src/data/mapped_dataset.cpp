#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <utility>

#include "data/classes.hpp"
#include "data/mapped_file.hpp"
#include "data/place.hpp"
#include "rampart/rows_file.hpp"
#include "util/text.hpp"

namespace rampart {
namespace {

// What two files must have in common to be one data set.
std::optional<std::string> difference(const MappedFile& a, const MappedFile& b) {
  const FeatureLayout& first = a.columns().layout;
  const FeatureLayout& other = b.columns().layout;
  if (a.columns().classes != b.columns().classes) return "other classes";
  if (first.names != other.names) return "other columns";
  if (first.categories != other.categories) return "other categories";
  // Sparse rows leave out zeros, and so the last columns of a part may not occur in it.
  if (a.header().dense && b.header().dense && first.count != other.count) {
    return "another number of columns";
  }
  if (a.weights().empty() != b.weights().empty()) return "weights in only one of them";
  for (const SectionKind kind : {SectionKind::id_starts, SectionKind::group_starts}) {
    if ((a.header().find(kind) == nullptr) != (b.header().find(kind) == nullptr)) {
      return kind == SectionKind::id_starts ? "ids in only one of them"
                                            : "groups in only one of them";
    }
  }
  return std::nullopt;
}

template <class Texts>
void append(std::vector<std::string>& all, Texts texts) {
  if (all.empty()) {
    all = std::move(texts);
  } else {
    std::ranges::move(texts, std::back_inserter(all));
  }
}

}  // namespace

struct MappedDataset::State {
  std::deque<MappedFile> files;
  std::vector<RowsView::Piece> pieces;
  RowsKeeper keeper;
  std::size_t size = 0;
  RowsColumns columns;
  std::span<const std::int8_t> y;
  std::span<const double> weights;
  std::vector<std::int8_t> own_y;  // where they are not one array of a file
  std::vector<double> own_weights;
  std::vector<std::string> ids;
  std::vector<std::string> groups;

  void open(std::span<const std::string> paths) {
    for (const std::string& path : paths) {
      const MappedFile& file = files.emplace_back(path);
      if (const auto differs = difference(files.front(), file)) {
        refuse({.file = path}, fmt::format("cannot be one data set with {}: {}; convert the texts "
                                           "together",
                                           files.front().path(), *differs));
      }
      pieces.push_back({.first = size, .rows = file.view()});
      size += file.rows();
      columns.layout.count = std::max(columns.layout.count, file.columns().layout.count);
    }
    const std::size_t widest = columns.layout.count;
    columns = files.front().columns();
    columns.layout.count = widest;
    keeper = {.ensure_readable = with_files(&MappedFile::ensure_readable),
              .will_need = with_files(&MappedFile::will_need),
              .dont_need = with_files(&MappedFile::dont_need)};
  }

  // Calls the same of every file that has some of the rows.
  RowsKeeper::Range with_files(void (MappedFile::*what)(std::size_t, std::size_t) const) {
    return [this, what](std::size_t begin, std::size_t end) {
      for (std::size_t k = 0; k < files.size(); ++k) {
        const std::size_t first = pieces[k].first;
        const std::size_t from = std::max(begin, first);
        const std::size_t to = std::min(end, first + files[k].rows());
        if (from < to) (files[k].*what)(from - first, to - first);
      }
    };
  }

  void gather(const MappingOptions& options) {
    y = files.front().labels();
    weights = files.front().weights();
    if (files.size() > 1) {
      own_y.reserve(size);
      for (const MappedFile& file : files) {
        own_y.insert(own_y.end(), file.labels().begin(), file.labels().end());
        own_weights.insert(own_weights.end(), file.weights().begin(), file.weights().end());
      }
      y = own_y;
      weights = own_weights;
    }
    for (const MappedFile& file : files) {
      if (options.ids) append(ids, file.ids(0, file.rows()));
      if (options.groups) append(groups, file.groups(0, file.rows()));
    }
  }

  void swap_classes() {
    own_y.assign(y.begin(), y.end());
    for (std::int8_t& label : own_y) label = static_cast<std::int8_t>(-label);
    y = own_y;
    std::swap(columns.classes.negative, columns.classes.positive);
  }

  void choose_classes(const MappingOptions& options) {
    const Place file{.file = files.front().path()};
    ClassNames& classes = columns.classes;
    if (options.classes) {
      const ClassNames wanted{class_name(options.classes->negative),
                              class_name(options.classes->positive)};
      if (wanted == ClassNames{classes.positive, classes.negative}) swap_classes();
      if (wanted != classes) {
        refuse(file, fmt::format("its classes are {} and {}, those of the model {} and {}",
                                 quoted(classes.negative), quoted(classes.positive),
                                 quoted(wanted.negative), quoted(wanted.positive)));
      }
      return;
    }
    const std::string wanted = class_name(options.positive);
    if (wanted.empty() || wanted == classes.positive) return;
    if (wanted != classes.negative) {
      refuse(file, fmt::format("no class is called {}; its classes are {} and {}", quoted(wanted),
                               quoted(classes.negative), quoted(classes.positive)));
    }
    swap_classes();
  }

  // As for text: training needs rows of both classes, with a weight.
  void check_classes(const MappingOptions& options) const {
    const Place file{.file = files.front().path()};
    std::array<bool, 2> is_there{};
    std::array<bool, 2> has_weight{};
    for (std::size_t n = 0; n < size; ++n) {
      is_there[y[n] > 0] = true;
      if (weights.empty() || weights[n] > 0) has_weight[y[n] > 0] = true;
    }
    const auto name = [&](bool positive) {
      return quoted(positive ? columns.classes.positive : columns.classes.negative);
    };
    if (!has_weight[0] && !has_weight[1]) refuse(file, "every weight is 0");
    if (options.classes) return;
    for (const bool positive : {false, true}) {
      if (!is_there[positive]) {
        refuse(file, fmt::format("all {} rows have the label {}; two classes are needed", size,
                                 name(!positive)));
      }
      if (!has_weight[positive]) {
        refuse(file, fmt::format("no row of class {} has a weight > 0", name(positive)));
      }
    }
  }
};

bool is_rows_file(const std::string& path) {
  // A pipe is not touched: what is read from it is gone.
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return false;
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return false;
  std::array<char, rows_magic.size()> start{};
  const ssize_t count = ::pread(descriptor, start.data(), start.size(), 0);
  ::close(descriptor);
  return count == static_cast<ssize_t>(start.size()) &&
         std::string_view(start.data(), start.size()) == rows_magic;
}

MappedDataset::MappedDataset(std::span<const std::string> paths, const MappingOptions& options)
    : state_(std::make_unique<State>()) {
  if (paths.empty()) throw InputError("no files");
  state_->open(paths);
  state_->gather(options);
  state_->choose_classes(options);
  state_->check_classes(options);
  if (options.check_now) check_all();
}

MappedDataset::MappedDataset(const std::string& path, const MappingOptions& options)
    : MappedDataset(std::span(&path, 1), options) {}

MappedDataset::~MappedDataset() = default;
MappedDataset::MappedDataset(MappedDataset&&) noexcept = default;
MappedDataset& MappedDataset::operator=(MappedDataset&&) noexcept = default;

Problem MappedDataset::problem() const {
  const State& state = *state_;
  const RowsView all =
      state.pieces.size() == 1 ? state.pieces.front().rows : RowsView::pieces(state.pieces);
  Problem problem(all.kept_by(state.keeper), state.y, state.weights);
  const FeatureLayout& layout = state.columns.layout;
  problem.groups = state.groups;
  problem.classes = state.columns.classes;
  problem.features = layout.names;
  problem.label = layout.label;
  problem.categories = layout.categories;
  problem.ids = state.ids;
  problem.id = layout.id;
  problem.fields = layout.fields;
  problem.file_columns = layout.file_columns;
  problem.missing_values = layout.missing_values;
  return problem;
}

std::size_t MappedDataset::size() const noexcept { return state_->size; }

std::uint64_t MappedDataset::bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const MappedFile& file : state_->files) sum += file.header().file_bytes;
  return sum;
}

void MappedDataset::check_all() const {
  // Some rows at a time, so that they do not all stay in memory.
  constexpr std::size_t together = 1 << 16;
  for (const MappedFile& file : state_->files) {
    for (std::size_t n = 0; n < file.rows(); n += together) {
      const std::size_t end = std::min(file.rows(), n + together);
      file.ensure_readable(n, end);
      file.dont_need(n, end);
    }
  }
}

}  // namespace rampart
