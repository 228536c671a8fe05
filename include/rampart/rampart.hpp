#pragma once

/// Rampart learns classifiers that know when not to answer.

#include "rampart/dataset.hpp"
#include "rampart/encoding.hpp"
#include "rampart/errors.hpp"
#include "rampart/familiar.hpp"
#include "rampart/io.hpp"
#include "rampart/kernel.hpp"
#include "rampart/metrics.hpp"
#include "rampart/model.hpp"
#include "rampart/names.hpp"
#include "rampart/options.hpp"
#include "rampart/rows.hpp"
#include "rampart/rows_file.hpp"
#include "rampart/train.hpp"
#include "rampart/version.hpp"
