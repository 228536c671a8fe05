#include "faces/option_text.hpp"

#include <fmt/format.h>

#include <array>
#include <climits>
#include <string>
#include <vector>

#include "rampart/errors.hpp"

namespace rampart {
namespace {

using enum OptionText::Kind;
using enum OptionText::Use;

constexpr std::string_view kernel = "Kernel";
constexpr std::string_view band = "Band";
constexpr std::string_view solver = "Solver";
constexpr std::string_view folds = "Folds";

constexpr std::array table = {
    OptionText{.name = "loss",
               .kind = choice,
               .value = "double-hinge|double-ramp|generalized-hinge|hinge",
               .standard = "double-ramp",
               .about = "What is minimised"},
    OptionText{.name = "reject-cost",
               .synonym = "d",
               .kind = number,
               .value = "D",
               .standard = "0.2",
               .about = "Cost d of declining, where a wrong answer costs 1; 0 < d <= 0.5",
               .larger = "fewer rows are rejected"},
    OptionText{.name = "costs",
               .kind = text,
               .value = "FP,FN,REJECT_POS,REJECT_NEG",
               .about =
                   "Cost of a false positive, a false negative, and of rejecting a positive, a "
                   "negative",
               .larger = "that outcome becomes rarer"},
    OptionText{.name = "C",
               .letter = "c",
               .kind = number,
               .value = "C",
               .standard = "1",
               .about = "Weight of the loss against |w|^2/2",
               .larger = "a closer fit to the training rows, and longer training"},
    OptionText{.name = "mu",
               .kind = number,
               .value = "MU",
               .standard = "1",
               .about = "Width of the ramps: mu + mu^2; 0 < mu <= 1",
               .larger = "a smoother loss; smaller ones come closer to the costs themselves"},
    OptionText{.name = "gamma",
               .letter = "g",
               .kind = text,
               .value = "NUMBER|scale|auto",
               .standard = "scale",
               .group = kernel,
               .about = "A number > 0, scale (1/(p var)) or auto (1/p)",
               .larger = "a more wiggly surface"},
    OptionText{.name = "band-folds",
               .kind = whole_number,
               .value = "K",
               .group = band,
               .about =
                   "Choose the rejection band on the scores of K inner folds; 0: the band of the "
                   "loss; default: 5 for hinge, which has none of its own, 0 for the others",
               .larger = "scores closer to those of the model, and K more trainings",
               .most = 10000},
    OptionText{.name = "kernel",
               .kind = choice,
               .value = "linear|polynomial|precomputed|rbf|sigmoid",
               .standard = "rbf",
               .group = kernel,
               .about = "How rows are compared"},
    OptionText{.name = "degree",
               .kind = whole_number,
               .value = "N",
               .standard = "3",
               .group = kernel,
               .about = "Of the polynomial kernel",
               .larger = "a more wiggly surface",
               .most = INT_MAX},
    OptionText{.name = "coef0",
               .kind = number,
               .value = "X",
               .standard = "0",
               .group = kernel,
               .about = "Of the polynomial and sigmoid kernels",
               .larger = "of a polynomial kernel: lower degrees count more"},
    OptionText{.name = "landmarks",
               .kind = whole_number,
               .value = "M",
               .group = kernel,
               .about = "For many rows: the part of the rbf kernel that M training rows span "
                        "(Nystrom); hundreds to thousands come close to all of it",
               .larger = "closer to the kernel, and longer training",
               .most = INT_MAX},
    OptionText{.name = "features",
               .kind = whole_number,
               .value = "M",
               .group = kernel,
               .about = "For many rows: M random Fourier features instead of the rbf kernel",
               .larger = "closer to the kernel, and longer training",
               .most = INT_MAX},
    OptionText{.name = "scale",
               .kind = choice,
               .value = "auto|minmax|none|standard",
               .standard = "auto",
               .group = kernel,
               .about = "Scale the features, and remember how in the model; auto: standard for "
                        "dense data, none for sparse; 0/1 features of categories are left alone"},
    OptionText{.name = "unfamiliar",
               .kind = number,
               .value = "SHARE",
               .standard = "0.005",
               .group = band,
               .about = "Reject rows unlike the training rows: at most this share of rows like "
                        "them; 0: none",
               .larger = "more rows count as unlike"},
    OptionText{.name = "class-weight",
               .kind = text,
               .value = "LABEL=W|balanced",
               .about = "Rows of class LABEL count W times (may be repeated), or balanced: "
                        "n/(2 n_class), so that both classes count the same",
               .larger = "fewer errors in that class"},
    OptionText{.name = "missing",
               .kind = choice,
               .value = "indicator|median|drop|refuse",
               .standard = "indicator",
               .about = "Missing values become the median, with a 0/1 column that says so "
                        "(indicator) or without (median); or their rows are dropped, or refused"},
    OptionText{.name = "tolerance",
               .letter = "e",
               .kind = number,
               .value = "E",
               .standard = "0.001",
               .group = solver,
               .about = "Largest KKT violation left, in units of f(x); the linear solver ends at a "
                        "certified gap of E/20",
               .larger = "sooner done, and less exact"},
    OptionText{.name = "solver",
               .kind = choice,
               .value = "auto|linear|smo",
               .standard = "auto",
               .group = solver,
               .about = "smo: on kernel rows; linear: on w itself, for linear kernels and millions "
                        "of rows; auto: linear where the kernel is"},
    OptionText{.name = "precision",
               .kind = choice,
               .value = "auto|double|single",
               .standard = "auto",
               .group = solver,
               .about = "Of kernel rows; auto: double up to 2048 rows or below tolerance 1e-5"},
    OptionText{.name = "max-rounds",
               .kind = whole_number,
               .value = "N",
               .standard = "100",
               .group = solver,
               .about = "Convex rounds",
               .larger = "hard problems get further"},
    OptionText{.name = "max-steps",
               .kind = whole_number,
               .value = "N",
               .group = solver,
               .about =
                   "Pair steps in all; default: 10000000, or 100 per row if more; of the linear "
                   "solver: passes over the rows; default: 3000",
               .larger = "hard problems get further"},
    OptionText{.name = "max-seconds",
               .kind = number,
               .value = "S",
               .group = solver,
               .about = "Seconds of each training: then the best model so far is certified, which "
                        "takes a little longer, and counts as not converged; default: no limit",
               .larger = "hard problems get further"},
    OptionText{.name = "cache-mb",
               .kind = number,
               .value = "MB",
               .group = solver,
               .about =
                   "Memory for kernel rows, taken as they are needed; does not change results; "
                   "default: half of the memory there is",
               .larger = "faster, up to the size of the kernel matrix"},
    OptionText{.name = "threads",
               .kind = whole_number,
               .value = "N",
               .standard = "0",
               .about = "At most N threads; 0: all. Does not change results",
               .larger = "faster, up to the number of processors",
               .most = 1024},
    OptionText{.name = "training-cost",
               .kind = number,
               .value = "D",
               .about = "Reject costs d' to train with, while answers cost d; default: d",
               .larger = "narrower bands in training",
               .use = tuning},
    OptionText{.name = "folds",
               .letter = "v",
               .kind = whole_number,
               .value = "K",
               .standard = "5",
               .group = folds,
               .about = "Parts the rows are dealt into",
               .larger = "closer to training on all rows, and longer",
               .use = tuning},
    OptionText{.name = "repeats",
               .kind = whole_number,
               .value = "N",
               .standard = "1",
               .group = folds,
               .about = "How often they are dealt anew",
               .larger = "steadier estimates, and longer",
               .use = tuning,
               .most = 100000},
    OptionText{.name = "seed",
               .kind = whole_number,
               .value = "N",
               .standard = "1",
               .group = folds,
               .about = "Another seed, other folds",
               .use = tuning},
    OptionText{.name = "stratify",
               .kind = choice,
               .value = "yes|no",
               .standard = "yes",
               .group = folds,
               .about = "Whether every fold gets its share of both classes",
               .use = tuning},
    OptionText{.name = "nested",
               .kind = choice,
               .value = "no|yes",
               .standard = "no",
               .about = "Also estimate what tuning gives on rows it has not seen: takes as many "
                        "times longer as there are folds",
               .use = tuning},
};

}  // namespace

std::span<const OptionText> option_texts() { return table; }

const OptionText& option_text(std::string_view name) {
  std::vector<std::string> names;
  for (const OptionText& option : table) {
    if (option.name == name) return option;
    names.emplace_back(option.name);
  }
  const auto nearest = nearest_word(name, names);
  throw OptionError(fmt::format("no option '{}'{}", name,
                                nearest ? fmt::format("; did you mean '{}'?", *nearest) : ""));
}

}  // namespace rampart
