#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace rampart {

/// Kernel values between a few rows x and a panel of rows z, with the widest vector instructions
/// this machine has.
///
/// A panel holds `panel_rows` rows z by columns: value j of row i is panel[j·panel_rows + i]. Sums
/// over the columns stay in registers, several rows x at a time, as in a matrix product. Every
/// entry is one chain of multiply-adds in the order of the columns, whatever its place in the panel
/// and the rows computed with it: k(x, z) = k(z, x) to the bit, and results depend neither on how
/// rows are cut into panels nor on threads. They may differ in the last bits between instruction
/// sets, since not every one multiplies and adds in one rounding.
template <class Real>
inline constexpr std::size_t panel_rows = 128 / sizeof(Real);

/// Rows of which only values that are not 0 are stored: values starts[r] … starts[r+1]−1.
template <class Real>
struct SparseRowsView {
  const std::size_t* starts = nullptr;
  const std::uint32_t* columns = nullptr;
  const Real* values = nullptr;
};

template <class Real>
struct PanelTask {
  const Real* x;        ///< row after row, `columns` values each
  const Real* x_norms;  ///< ½‖x‖²; panel_rbf() only
  std::size_t rows;
  std::size_t columns;
  const Real* panel;
  const Real* panel_norms;
  Real* const* out;  ///< values of row r go to out[r] + at
  std::size_t at;
  SparseRowsView<Real> sparse = {};  ///< instead of x; what is left out adds nothing to any sum
  bool far = true;  ///< whether rate·(½‖x‖² + ½‖z‖²) may exceed largest_cancellation
};

/// x·z.
template <class Real>
void panel_products(const PanelTask<Real>& task);

/// exp(−γ‖x − z‖²) = 2^(−rate·½‖x − z‖²), rate being rbf_rate(γ). −½‖x − z‖² is
/// x·z − (½‖x‖² + ½‖z‖²), and where that loses the digits that matter, by `largest_cancellation`,
/// the differences are squared and added instead.
template <class Real>
void panel_rbf(const PanelTask<Real>& task, Real rate);

inline double rbf_rate(double gamma) { return gamma * 2.8853900817779268; }  // 2/ln 2

/// rate·(½‖x‖² + ½‖z‖²)·k(x, z) up to which an RBF value is computed from products: times the
/// rounding of Real it is about the error of the value, so 2e-6 in float and 1e-10 in double.
template <class Real>
inline constexpr Real largest_cancellation = sizeof(Real) == sizeof(float) ? 24 : 393216;

/// rate·(½‖x‖² + ½‖z‖²) up to which a value from products is accurate enough for that comparison:
/// beyond it, rounding may change the exponent by 1 or more, and the value by a factor of 2.
template <class Real>
inline constexpr Real largest_exponents = 1 / (16 * std::numeric_limits<Real>::epsilon());

/// ‖x‖² by the same chain of multiply-adds as x·x in a panel, so that k(x, x) = 1 exactly.
template <class Real>
void squared_norms(const Real* x, std::size_t rows, std::size_t columns, Real* norms);

/// Kernel values of `rows` rows with a panel, row after row, as out[r][i] and the other way round.
template <class Real>
struct PanelTile {
  const Real* values;
  std::size_t rows;
  bool streaming;  ///< write past the caches, for values that are not read soon; they must not be
                   ///< read before end_streaming()
};

/// out[r][at + i] = value (r, i), for all rows r and the first `count` rows i of the panel.
template <class Real>
void copy_tile(const PanelTile<Real>& tile, std::size_t count, Real* const* out, std::size_t at);

/// out[i][at + r] = value (r, i).
template <class Real>
void copy_tile_mirrored(const PanelTile<Real>& tile, std::size_t count, Real* const* out,
                        std::size_t at);

/// Makes what this thread has streamed visible to others.
void end_streaming();

/// sums[r] += Σᵢ c[i]·values[r][i] over a panel.
template <class Real>
void add_panel_dots(const Real* const* values, const double* c, std::size_t rows, double* sums);

/// sums[i] += Σᵣ c[r]·values[r][i] for i < count, in the order of r.
template <class Real>
void add_weighted(const Real* const* values, const double* c, std::size_t rows, std::size_t count,
                  double* sums);

}  // namespace rampart
