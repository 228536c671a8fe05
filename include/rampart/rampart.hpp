#pragma once

/// Rampart trains classifiers with a reject option.

#include "rampart/cross_validation.hpp"
#include "rampart/dataset.hpp"
#include "rampart/errors.hpp"
#include "rampart/folds.hpp"
#include "rampart/generate.hpp"
#include "rampart/io.hpp"
#include "rampart/kernel.hpp"
#include "rampart/loss.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "rampart/names.hpp"
#include "rampart/options.hpp"
#include "rampart/report.hpp"
#include "rampart/rows.hpp"
#include "rampart/scaling.hpp"
#include "rampart/text.hpp"
#include "rampart/train.hpp"
#include "rampart/tune.hpp"
#include "rampart/version.hpp"
