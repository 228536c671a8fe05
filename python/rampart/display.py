"""Pictures of a classifier with a reject option, in the manner of scikit-learn's displays.

================================  ===============================================================
:class:`RiskCoverageDisplay`      How good are the answers if only the most certain are given?
:class:`RejectionCurveDisplay`    How wide should the band be?
:class:`DecisionRegionDisplay`    Where does it answer what? (two features)
================================  ===============================================================

matplotlib is needed to draw, not to import this module. Colours are those of Okabe and Ito, which
colour-blind readers tell apart; line styles, hatching and markers do the same in grey.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import _inputs
from .metrics import (
    _costs_of,
    _final_estimator,
    _innermost,
    _scores_of_any,
    _scores_or_nan,
    _scores_to_measure,
    aurc,
    rejection_curve,
    risk_coverage_curve,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.contour import QuadContourSet
    from matplotlib.figure import Figure, SubFigure
    from matplotlib.lines import Line2D

    from ._inputs import BoolArray, Costs, FloatArray, LabelArray

__all__ = ["DecisionRegionDisplay", "RejectionCurveDisplay", "RiskCoverageDisplay"]

_BLUE, _VERMILION, _GREEN, _PURPLE, _BLACK = "#0072B2", "#D55E00", "#009E73", "#AA5585", "#222222"
_LIGHT_BLUE, _LIGHT_ORANGE, _LIGHT_GREY = "#A6CEE3", "#FDE3CC", "#F4F4F4"
_RISK_COVERAGE = "rampart risk-coverage"  # marks curves, to tell them from other lines
_BAND_IN_USE = "band in use"
_REJECTION_CURVE = "rampart rejection curve"  # the same, followed by the name of the display
_ORANGE, _OLIVE, _PINK, _SKY = "#E69F00", "#7A7A00", "#CC79A7", "#56B4E9"
# Of accuracy, rejection rate and risk, for the first display on axes and for others.
_CURVE_COLOURS = [
    (_GREEN, _VERMILION, _BLUE),
    (_PURPLE, _ORANGE, _BLACK),
    (_OLIVE, _PINK, _SKY),
]
_CURVE_STYLES = [(_BLUE, "-"), (_VERMILION, "--"), (_GREEN, "-."), (_PURPLE, ":"), (_BLACK, "-")]


class RiskCoverageDisplay:
    """Error rate among the answers, over the share of rows that are answered.

    A curve that falls quickly to the left says that ``|f|`` knows where errors are: rejecting the
    least certain rows gets rid of them. The point is where the estimator's own band is.

    Use :meth:`from_estimator` or :meth:`from_predictions` to create one. All parameters are stored
    as attributes.

    Parameters
    ----------
    coverage : ndarray of shape (n_thresholds,)
        Share of rows answered, from :func:`~rampart.metrics.risk_coverage_curve`.
    risk : ndarray of shape (n_thresholds,)
        Error rate among these.
    aurc : float, default=None
        Area under the curve. None: it is not shown.
    operating_point : (float, float), default=None
        Coverage and error rate of the band in use. None: no point is drawn.
    name : str, default=None
        Name of the curve in the legend.

    Attributes
    ----------
    line_ : matplotlib Line2D
        The curve.
    point_ : matplotlib Line2D or None
        The point of the band in use.
    ax_ : matplotlib Axes
        Axes with the curve.
    figure_ : matplotlib Figure
        Figure with the axes.

    See Also
    --------
    rampart.metrics.risk_coverage_curve : The numbers.
    RejectionCurveDisplay : Cost and accuracy over the width of the band.

    Examples
    --------
    >>> from rampart.display import RiskCoverageDisplay
    >>> display = RiskCoverageDisplay.from_predictions(
    ...     [0, 1, 1, 0], [-2.0, 1.0, -0.5, 0.5], rho=0.7, name="by hand"
    ... )
    >>> display.operating_point
    (0.5, 0.0)
    """

    line_: Line2D
    point_: Line2D | None
    ax_: Axes
    figure_: Figure | SubFigure

    def __init__(
        self,
        *,
        coverage: FloatArray,
        risk: FloatArray,
        aurc: float | None = None,
        operating_point: tuple[float, float] | None = None,
        name: str | None = None,
    ) -> None:
        self.coverage = coverage
        self.risk = risk
        self.aurc = aurc
        self.operating_point = operating_point
        self.name = name

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: npt.ArrayLike,
        *,
        sample_weight: npt.ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> RiskCoverageDisplay:
        """Plot the curve of a fitted estimator, with a point at its own band.

        Parameters
        ----------
        estimator : estimator instance
            Fitted RejectOptionClassifier, a pipeline that ends with one, or a search over one; or
            any classifier of two classes with a `decision_function`, for which no point is drawn.
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows, better not those of training.
        y : array-like of shape (n_samples,)
            Their labels.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        name : str, default=None
            Name in the legend. None: the name of the estimator's class.
        ax : matplotlib Axes, default=None
            Where to plot. None: new axes.
        **kwargs : dict
            Passed to matplotlib's `plot` for the curve.

        Returns
        -------
        display : RiskCoverageDisplay
            The display, drawn.

        Examples
        --------
        >>> from sklearn.datasets import make_moons
        >>> from rampart import RejectOptionClassifier
        >>> from rampart.display import RiskCoverageDisplay
        >>> X, y = make_moons(400, noise=0.4, random_state=0)
        >>> classifier = RejectOptionClassifier(reject_cost=0.2).fit(X[::2], y[::2])
        >>> display = RiskCoverageDisplay.from_estimator(classifier, X[1::2], y[1::2])
        >>> bool(display.risk[-1] < 0.5)
        True
        """
        scores, classes, rho = _scores_of_any(estimator, X)
        return cls.from_predictions(
            y,
            scores,
            rho=rho,
            pos_label=classes[1],
            sample_weight=sample_weight,
            name=type(_innermost(estimator)).__name__ if name is None else name,
            ax=ax,
            **kwargs,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        rho: float | None = None,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> RiskCoverageDisplay:
        """Plot the curve of scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels, of two classes.
        y_score : array-like of shape (n_samples,)
            f(x), as in :func:`~rampart.metrics.risk_coverage_curve`.
        rho : float, default=None
            Half width of the band in use: rows with ``|f| <= rho`` are rejected. None: no point
            is drawn.
        pos_label : label, default=None
            The positive class. By default the second of the two labels in sorted order.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        name : str, default=None
            Name in the legend. None: "Classifier".
        ax : matplotlib Axes, default=None
            Where to plot. None: new axes.
        **kwargs : dict
            Passed to matplotlib's `plot` for the curve.

        Returns
        -------
        display : RiskCoverageDisplay
            The display, drawn.
        """
        given = {"pos_label": pos_label, "sample_weight": sample_weight}
        coverage, risk, _ = risk_coverage_curve(y_true, y_score, **given)
        point = None
        if rho is not None:
            _require_half_width(rho)
            widths, _, rejected, accuracy = rejection_curve(y_true, y_score, **given)
            at = _place_of(rho, widths)
            if rejected[at] < 1:
                point = (float(1 - rejected[at]), float(1 - accuracy[at]))
        display = cls(
            coverage=coverage,
            risk=risk,
            aurc=aurc(y_true, y_score, **given),
            operating_point=point,
            name="Classifier" if name is None else name,
        )
        return display.plot(ax=ax, **kwargs)

    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any
    ) -> RiskCoverageDisplay:
        """Plot the curve.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot. Several curves may share axes: each gets its own colour and line style.
            None: new axes.
        name : str, default=None
            Name in the legend. None: the attribute `name`.
        **kwargs : dict
            Passed to matplotlib's `plot` for the curve.

        Returns
        -------
        display : RiskCoverageDisplay
            The display itself.
        """
        self.ax_, self.figure_ = _axes(ax, f"{type(self).__name__}.plot")
        color, style = _CURVE_STYLES[len(self._curves()) % len(_CURVE_STYLES)]
        options = {"color": color, "linestyle": style, "label": self._label(name), **kwargs}
        (self.line_,) = self.ax_.plot(self.coverage, self.risk, **options)
        self.line_.set_gid(_RISK_COVERAGE)

        self.point_ = None
        if self.operating_point is not None:
            (self.point_,) = self.ax_.plot(
                [self.operating_point[0]],
                [self.operating_point[1]],
                marker="o",
                markersize=9,
                color=self.line_.get_color(),
                markeredgecolor="white",
                markeredgewidth=1.5,
                linestyle="none",
                zorder=self.line_.get_zorder() + 1,
                label=_BAND_IN_USE,
            )
        self.ax_.set(
            xlabel="Coverage (share of rows answered)",
            ylabel="Error rate among answers",
            xlim=(0, 1.02),
            ylim=(0, self._upper_end()),
        )
        _tidy(self.ax_)
        if options["label"] is not None:
            self._draw_legend()
        return self

    def _draw_legend(self) -> None:
        """The curves, then one entry for the points of all of them."""
        handles, texts = self.ax_.get_legend_handles_labels()
        points = [handle for handle, text in zip(handles, texts) if text == _BAND_IN_USE]
        curves = [handle for handle in handles if handle not in points]
        self.ax_.legend(handles=curves + points[:1], loc="best", frameon=False)

    def _curves(self) -> list[Line2D]:
        """Curves of this kind that are on the axes, ours and those of other displays."""
        return [line for line in self.ax_.get_lines() if line.get_gid() == _RISK_COVERAGE]

    def _upper_end(self) -> float:
        """Room for all curves but for their first rows: of one row the error rate is 0 or 1."""
        highest = 0.0
        for line in self._curves():
            coverage, risk = (np.asarray(values) for values in line.get_data())
            highest = max(highest, risk[coverage >= 0.05].max())
        return 1.1 * highest or 1.0

    def _label(self, name: str | None) -> str | None:
        name = self.name if name is None else name
        area = None if self.aurc is None else f"AURC = {self.aurc:.3f}"
        if name is None or area is None:
            return name if area is None else area
        return f"{name} ({area})"


class RejectionCurveDisplay:
    """Risk, rejection rate and accuracy among answers, over the half width of the band.

    For somebody who picks an operating point. The horizontal axis is rho, because that is what can
    be turned: at each rho the three curves say what it costs, how many rows are handed on, and how
    far the remaining answers can be trusted. The vertical line is the band in use, the ring the
    lowest risk on these rows. A rho that is chosen here is fitted to these rows: measure it on
    others.

    Use :meth:`from_estimator` or :meth:`from_predictions` to create one. All parameters are stored
    as attributes.

    Parameters
    ----------
    rho : ndarray of shape (n_points,)
        Half widths, increasing, from :func:`~rampart.metrics.rejection_curve`.
    risk : ndarray of shape (n_points,)
        Mean cost per row.
    rejection_rate : ndarray of shape (n_points,)
        Share of rejected rows.
    accepted_accuracy : ndarray of shape (n_points,)
        Share of right answers among all answers.
    own_rho : float, default=None
        Half width of the band in use. None: it is not shown.
    name : str, default=None
        Title of the picture.

    Attributes
    ----------
    risk_line_, rejection_rate_line_, accepted_accuracy_line_ : matplotlib Line2D
        The three curves.
    best_point_ : matplotlib Line2D
        The ring at the lowest risk.
    own_rho_line_ : matplotlib Line2D or None
        The vertical line at the band in use.
    ax_ : matplotlib Axes
        Axes with the curves.
    figure_ : matplotlib Figure
        Figure with the axes.

    See Also
    --------
    rampart.metrics.rejection_curve : The numbers.
    RiskCoverageDisplay : Compares classifiers, for which rho has different meanings.

    Examples
    --------
    >>> from rampart.display import RejectionCurveDisplay
    >>> display = RejectionCurveDisplay.from_predictions([0, 1, 1, 0], [-2.0, 1.0, -0.5, 0.5])
    >>> display.best_rho
    0.5
    """

    risk_line_: Line2D
    rejection_rate_line_: Line2D
    accepted_accuracy_line_: Line2D
    best_point_: Line2D
    own_rho_line_: Line2D | None
    ax_: Axes
    figure_: Figure | SubFigure

    def __init__(
        self,
        *,
        rho: FloatArray,
        risk: FloatArray,
        rejection_rate: FloatArray,
        accepted_accuracy: FloatArray,
        own_rho: float | None = None,
        name: str | None = None,
    ) -> None:
        self.rho = rho
        self.risk = risk
        self.rejection_rate = rejection_rate
        self.accepted_accuracy = accepted_accuracy
        self.own_rho = own_rho
        self.name = name

    @property
    def best_rho(self) -> float:
        """The smallest half width of the lowest risk on these rows."""
        return float(self.rho[np.argmin(self.risk)])

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: npt.ArrayLike,
        *,
        reject_cost: float | None = None,
        costs: Costs | None = None,
        sample_weight: npt.ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> RejectionCurveDisplay:
        """Plot the curves of a fitted estimator, with a line at its own band.

        Parameters
        ----------
        estimator : estimator instance
            Fitted RejectOptionClassifier, a pipeline that ends with one, or a search over one.
        X : {array-like, sparse matrix, dataframe} of shape (n_samples, n_features)
            Rows, better not those of training.
        y : array-like of shape (n_samples,)
            Their labels.
        reject_cost : float, default=None
            Cost of a rejection. None: that of the estimator.
        costs : (float, float, float, float), default=None
            Cost of a false positive, of a false negative, of rejecting a positive row and of
            rejecting a negative one. None: those of the estimator, unless `reject_cost` is given.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        name : str, default=None
            Title of the picture. None: the name of the estimator's class.
        ax : matplotlib Axes, default=None
            Where to plot. None: new axes.
        **kwargs : dict
            Passed to matplotlib's `plot` for the three curves.

        Returns
        -------
        display : RejectionCurveDisplay
            The display, drawn.

        Examples
        --------
        >>> from sklearn.datasets import make_moons
        >>> from rampart import RejectOptionClassifier
        >>> from rampart.display import RejectionCurveDisplay
        >>> X, y = make_moons(400, noise=0.4, random_state=0)
        >>> classifier = RejectOptionClassifier(reject_cost=0.2).fit(X[::2], y[::2])
        >>> display = RejectionCurveDisplay.from_estimator(classifier, X[1::2], y[1::2])
        >>> bool(display.own_rho == classifier.rho_)
        True
        """
        final, seen = _final_estimator(estimator, X)
        return cls.from_predictions(
            y,
            _scores_to_measure(final, seen),
            rho=final.rho_,
            costs=_costs_of(final, reject_cost, costs),
            pos_label=final.classes_[1],
            sample_weight=sample_weight,
            name=type(final).__name__ if name is None else name,
            ax=ax,
            **kwargs,
        )

    @classmethod
    def from_predictions(
        cls,
        y_true: npt.ArrayLike,
        y_score: npt.ArrayLike,
        *,
        rho: float | None = None,
        reject_cost: float = 0.2,
        costs: Costs | None = None,
        pos_label: Any = None,
        sample_weight: npt.ArrayLike | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> RejectionCurveDisplay:
        """Plot the curves of scores.

        Parameters
        ----------
        y_true : array-like of shape (n_samples,)
            True labels, of two classes.
        y_score : array-like of shape (n_samples,)
            f(x), as in :func:`~rampart.metrics.risk_coverage_curve`.
        rho : float, default=None
            Half width of the band in use. None: it is not shown.
        reject_cost : float, default=0.2
            Cost of a rejection. Not used if `costs` is given.
        costs : (float, float, float, float), default=None
            Cost of a false positive, of a false negative, of rejecting a positive row and of
            rejecting a negative one. None means ``(1, 1, reject_cost, reject_cost)``.
        pos_label : label, default=None
            The positive class. By default the second of the two labels in sorted order.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights of the rows.
        name : str, default=None
            Title of the picture.
        ax : matplotlib Axes, default=None
            Where to plot. None: new axes.
        **kwargs : dict
            Passed to matplotlib's `plot` for the three curves.

        Returns
        -------
        display : RejectionCurveDisplay
            The display, drawn.
        """
        if rho is not None:
            _require_half_width(rho)
        widths, risk, rejected, accuracy = rejection_curve(
            y_true,
            y_score,
            reject_cost=reject_cost,
            costs=costs,
            pos_label=pos_label,
            sample_weight=sample_weight,
        )
        display = cls(
            rho=widths,
            risk=risk,
            rejection_rate=rejected,
            accepted_accuracy=accuracy,
            own_rho=None if rho is None else float(rho),
            name=name,
        )
        return display.plot(ax=ax, **kwargs)

    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any
    ) -> RejectionCurveDisplay:
        """Plot the curves.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot. None: new axes.
        name : str, default=None
            Title of the picture. None: the attribute `name`.
        **kwargs : dict
            Passed to matplotlib's `plot` for the three curves.

        Returns
        -------
        display : RejectionCurveDisplay
            The display itself.
        """
        self.ax_, self.figure_ = _axes(ax, f"{type(self).__name__}.plot")
        name = self.name if name is None else name
        others = self._others()
        colours = _CURVE_COLOURS[len(others) % len(_CURVE_COLOURS)]
        self.accepted_accuracy_line_ = self._step(
            self.accepted_accuracy, "accuracy among answers", colours[0], "--", kwargs
        )
        self.rejection_rate_line_ = self._step(
            self.rejection_rate, "rejection rate", colours[1], "-.", kwargs
        )
        self.risk_line_ = self._step(self.risk, "risk (mean cost)", colours[2], "-", kwargs)
        (self.best_point_,) = self.ax_.plot(
            [self.best_rho],
            [self.risk.min()],
            marker="o",
            markersize=9,
            markerfacecolor="none",
            markeredgewidth=1.5,
            color=self.risk_line_.get_color(),
            linestyle="none",
            label=f"lowest risk: {self.risk.min():.3f} at ρ = {self.best_rho:.3g}",
        )
        self.own_rho_line_ = None
        if self.own_rho is not None:
            self.own_rho_line_ = self.ax_.axvline(
                self.own_rho,
                color=colours[2] if others else "0.35",
                linestyle=":",
                linewidth=1.2,
                zorder=1,
                label=f"{_BAND_IN_USE}: ρ = {self.own_rho:.3g}",
            )
        right = max(self._right_end(), self.ax_.get_xlim()[1] if others else 0.0)
        top = max(1.02 * self.risk.max(), self.ax_.get_ylim()[1] if others else 1.02)
        self.ax_.set(
            xlabel="Half width ρ of the band (rejected: |f| ≤ ρ)",
            ylabel="Share of rows, or cost per row",
            xlim=(-0.01 * right, right),
        )
        self.ax_.set_ylim(bottom=0, top=top)
        self._mark(name, others)
        _tidy(self.ax_)
        self.ax_.legend(loc="best", fontsize="small", framealpha=0.85, edgecolor="none")
        return self

    def _others(self) -> list[list[Line2D]]:
        """The lines of displays of this kind that are on the axes, by display."""
        found: dict[str, list[Line2D]] = {}
        for line in self.ax_.get_lines():
            mark = str(line.get_gid())
            if mark.startswith(_REJECTION_CURVE):
                found.setdefault(mark, []).append(line)
        return list(found.values())

    def _mark(self, name: str | None, others: list[list[Line2D]]) -> None:
        """The name as the title; in the legend, where several displays share the axes."""
        own = [self.accepted_accuracy_line_, self.rejection_rate_line_, self.risk_line_]
        own.append(self.best_point_)
        if self.own_rho_line_ is not None:
            own.append(self.own_rho_line_)
        place = len(others)
        for line in own:
            line.set_gid(f"{_REJECTION_CURVE} {place} {name or ''}")
        if not others:
            if name is not None:
                self.ax_.set_title(name)
            return
        if place == 1:  # the first was alone until now
            first = str(others[0][0].get_gid()).split(" ", 4)[4]
            _name_lines(others[0], first or "1")
            if self.ax_.get_title() == first:
                self.ax_.set_title("")
        _name_lines(own, name or str(place + 1))

    def _step(
        self, values: FloatArray, label: str, color: str, style: str, options: dict[str, Any]
    ) -> Line2D:
        # A value holds up to the next |f| that occurs.
        defaults = {"color": color, "linestyle": style, "drawstyle": "steps-post", "label": label}
        (line,) = self.ax_.plot(self.rho, values, **{**defaults, **options})
        return line

    def _right_end(self) -> float:
        """Where to stop: beyond 99 % of rejections a few outlying rows would fill the picture."""
        nearly_all = float(self.rho[np.argmax(self.rejection_rate >= 0.99)])
        own = 0.0 if self.own_rho is None else self.own_rho
        return 1.02 * max(nearly_all, self.best_rho, own) or 1.0


class DecisionRegionDisplay:
    """The regions where a classifier answers one class, rejects, or answers the other.

    For estimators of two features. Solid lines are the ends of the band, f = -rho and f = rho; the
    dashed line is f = 0. Where rows are rejected for another reason than the band, such as being
    unlike the training rows, the region is cross-hatched.

    Use :meth:`from_estimator` to create one. All parameters are stored as attributes.

    Parameters
    ----------
    xx0, xx1 : ndarray of shape (grid_resolution, grid_resolution)
        First and second feature of the grid, as from :func:`numpy.meshgrid`.
    response : ndarray of shape (grid_resolution, grid_resolution)
        f on the grid; NaN where it cannot be computed.
    rho : float
        Half width of the band.
    rejected : ndarray of shape (grid_resolution, grid_resolution), default=None
        Whether the estimator rejects. None: where the band says so.
    classes : sequence of two labels, default=("-", "+")
        Names of the negative and of the positive class.
    xlabel, ylabel : str, default=None
        Names of the features.
    name : str, default=None
        Title of the picture.

    Attributes
    ----------
    surface_ : matplotlib QuadContourSet
        The filled regions.
    contours_ : matplotlib QuadContourSet or None
        The lines f = -rho, 0, rho; those of them that cross the grid, if any does.
    rejected_surface_ : matplotlib QuadContourSet or None
        What is rejected for another reason than the band.
    scatter_ : list of matplotlib PathCollection
        The rows of each class, if there are any.
    ax_ : matplotlib Axes
        Axes with the regions.
    figure_ : matplotlib Figure
        Figure with the axes.

    Examples
    --------
    >>> from rampart.display import DecisionRegionDisplay
    >>> import numpy as np
    >>> xx0, xx1 = np.meshgrid(np.linspace(-1, 1, 50), np.linspace(-1, 1, 50))
    >>> display = DecisionRegionDisplay(xx0=xx0, xx1=xx1, response=xx0 + xx1, rho=0.5)
    >>> display.plot().contours_.levels
    array([-0.5,  0. ,  0.5])
    """

    surface_: QuadContourSet
    contours_: QuadContourSet | None
    rejected_surface_: QuadContourSet | None
    scatter_: list[PathCollection]
    ax_: Axes
    figure_: Figure | SubFigure

    def __init__(
        self,
        *,
        xx0: FloatArray,
        xx1: FloatArray,
        response: FloatArray,
        rho: float,
        rejected: BoolArray | None = None,
        classes: Sequence[Any] = ("-", "+"),
        X: FloatArray | None = None,
        y: LabelArray | None = None,
        xlabel: str | None = None,
        ylabel: str | None = None,
        name: str | None = None,
    ) -> None:
        self.xx0 = xx0
        self.xx1 = xx1
        self.response = response
        self.rho = rho
        self.rejected = rejected
        self.classes = classes
        self.X = X
        self.y = y
        self.xlabel = xlabel
        self.ylabel = ylabel
        self.name = name

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        y: npt.ArrayLike | None = None,
        *,
        grid_resolution: int = 200,
        margin: float = 0.08,
        xlabel: str | None = None,
        ylabel: str | None = None,
        name: str | None = None,
        ax: Axes | None = None,
        **kwargs: Any,
    ) -> DecisionRegionDisplay:
        """Plot the regions of a fitted estimator, and the rows X by their class.

        Parameters
        ----------
        estimator : estimator instance
            Fitted RejectOptionClassifier, a pipeline that ends with one, or a search over one.
        X : {array-like, dataframe} of shape (n_samples, 2)
            Rows. They say which part of the plane to show.
        y : array-like of shape (n_samples,), default=None
            Their labels. None: rows are not drawn.
        grid_resolution : int, default=200
            Points of the grid along each feature. Larger values make finer lines and take longer.
        margin : float, default=0.08
            How far to go beyond the rows, as a share of their range.
        xlabel, ylabel : str, default=None
            Names of the features. None: the columns of a frame, or else their numbers.
        name : str, default=None
            Title of the picture.
        ax : matplotlib Axes, default=None
            Where to plot. None: new axes.
        **kwargs : dict
            Passed to matplotlib's `contourf` for the regions.

        Returns
        -------
        display : DecisionRegionDisplay
            The display, drawn.

        Examples
        --------
        >>> from sklearn.datasets import make_moons
        >>> from rampart import RejectOptionClassifier
        >>> from rampart.display import DecisionRegionDisplay
        >>> X, y = make_moons(200, noise=0.3, random_state=0)
        >>> classifier = RejectOptionClassifier(reject_cost=0.2).fit(X, y)
        >>> display = DecisionRegionDisplay.from_estimator(classifier, X, y, grid_resolution=50)
        >>> display.response.shape
        (50, 50)
        """
        try:
            rows = np.asarray(X, dtype=np.float64)
        except (TypeError, ValueError) as error:
            raise ValueError(
                "X must have two columns of numbers: regions of text or categories cannot be drawn "
                f"in a plane ({error})"
            ) from error
        if rows.ndim != 2 or rows.shape[1] != 2:
            raise ValueError(f"X must have two features, got an array of shape {rows.shape}.")
        if not grid_resolution > 1:
            raise ValueError(f"grid_resolution must be greater than 1. Got {grid_resolution}.")
        if not margin >= 0:
            raise ValueError(f"margin must be greater than or equal to 0. Got {margin}.")
        truth = None
        if y is not None:
            truth = _inputs.labels(y, "y")
            _inputs.require_same_length(rows, truth)

        xx0, xx1 = np.meshgrid(*(_ticks(column, grid_resolution, margin) for column in rows.T))
        grid = _like(X, np.column_stack([xx0.ravel(), xx1.ravel()]))
        final, seen = _final_estimator(estimator, grid)
        names = [str(column) for column in getattr(X, "columns", ["Feature 0", "Feature 1"])]
        display = cls(
            xx0=xx0,
            xx1=xx1,
            response=_scores_or_nan(final, seen).reshape(xx0.shape),
            rho=float(final.rho_),
            rejected=final.reject(seen).reshape(xx0.shape),
            classes=final.classes_.tolist(),
            X=rows,
            y=truth,
            xlabel=names[0] if xlabel is None else xlabel,
            ylabel=names[1] if ylabel is None else ylabel,
            name=name,
        )
        return display.plot(ax=ax, **kwargs)

    def plot(
        self, ax: Axes | None = None, *, name: str | None = None, **kwargs: Any
    ) -> DecisionRegionDisplay:
        """Plot the regions, and the rows if there are any.

        Parameters
        ----------
        ax : matplotlib Axes, default=None
            Where to plot. None: new axes.
        name : str, default=None
            Title of the picture. None: the attribute `name`.
        **kwargs : dict
            Passed to matplotlib's `contourf` for the regions.

        Returns
        -------
        display : DecisionRegionDisplay
            The display itself.
        """
        self.ax_, self.figure_ = _axes(ax, f"{type(self).__name__}.plot")
        self._fill(kwargs)
        self._draw_lines()
        self._draw_rows()
        self.ax_.set(xlabel=self.xlabel, ylabel=self.ylabel)
        self._draw_legend()
        name = self.name if name is None else name
        if name is not None:
            self.ax_.set_title(name, pad=30)  # above the legend
        return self

    def _by_itself(self) -> BoolArray:
        """Where f lies outside the band, or is unknown, and the row is rejected all the same."""
        inside = np.abs(self.response) <= self.rho
        rejected = inside | np.isnan(self.response) if self.rejected is None else self.rejected
        return np.asarray(rejected & ~inside, dtype=bool)

    def _fill(self, options: dict[str, Any]) -> None:
        import matplotlib as mpl

        grid, f = (self.xx0, self.xx1), np.ma.masked_invalid(self.response)
        beyond = 1 + max(self.rho, np.nan_to_num(np.abs(self.response)).max())
        levels = [-beyond, -self.rho, self.rho, beyond]
        colors, hatches = [_LIGHT_BLUE, _LIGHT_GREY, _LIGHT_ORANGE], [None, "///", None]
        if self.rho == 0:  # no band
            levels, colors, hatches = [-beyond, 0, beyond], colors[::2], hatches[::2]
        with mpl.rc_context({"hatch.color": "0.72", "hatch.linewidth": 0.6}):
            regions = {"levels": levels, "colors": colors, "hatches": hatches, **options}
            self.surface_ = self.ax_.contourf(*grid, f, **regions)
            self.rejected_surface_ = None
            if np.any(self._by_itself()):
                self.rejected_surface_ = self.ax_.contourf(
                    *grid,
                    self._by_itself().astype(float),
                    levels=[0.5, 1.5],
                    colors=[_LIGHT_GREY],
                    hatches=["xxx"],
                )

    def _draw_lines(self) -> None:
        f = np.ma.array(self.response, mask=self._by_itself() | np.isnan(self.response))
        low, high = (f.min(), f.max()) if f.count() else (np.nan, np.nan)
        levels = [level for level in sorted({-self.rho, 0.0, self.rho}) if low <= level <= high]
        self.contours_ = None
        if not levels:
            return
        self.contours_ = self.ax_.contour(
            self.xx0,
            self.xx1,
            f,
            levels=levels,
            colors=_BLACK,
            linewidths=[0.9 if level == 0 else 1.4 for level in levels],
            linestyles=["--" if level == 0 else "-" for level in levels],
        )

    def _draw_rows(self) -> None:
        self.scatter_ = []
        if self.X is None or self.y is None:
            return
        for label, marker, color in zip(self.classes, "o^", (_BLUE, _VERMILION)):
            of_class = self.X[_inputs.equal_to(self.y, label)]
            self.scatter_.append(
                self.ax_.scatter(
                    of_class[:, 0],
                    of_class[:, 1],
                    s=26,
                    marker=marker,
                    c=color,
                    edgecolors="white",
                    linewidths=0.6,
                )
            )
        self.ax_.set(xlim=(self.xx0.min(), self.xx0.max()), ylim=(self.xx1.min(), self.xx1.max()))

    def _draw_legend(self) -> None:
        import matplotlib as mpl
        from matplotlib.patches import Patch

        def patch(color: str, hatch: str | None = None) -> Patch:
            return Patch(facecolor=color, edgecolor="0.72", linewidth=0.6, hatch=hatch)

        marks: list[tuple[Any, ...]] = [(scatter,) for scatter in self.scatter_] or [(), ()]
        with mpl.rc_context({"hatch.color": "0.72", "hatch.linewidth": 0.6}):
            entries = {
                str(self.classes[0]): (patch(_LIGHT_BLUE), *marks[0]),
                "reject": (patch(_LIGHT_GREY, "///"),),
                str(self.classes[1]): (patch(_LIGHT_ORANGE), *marks[1]),
            }
            if self.rejected_surface_ is not None:
                entries["reject (unfamiliar)"] = (patch(_LIGHT_GREY, "xxx"),)
        self.ax_.legend(
            list(entries.values()),
            list(entries),
            loc="lower left",
            bbox_to_anchor=(-0.02, 1.0),
            ncol=len(entries),
            frameon=False,
            handlelength=1.8,
            handleheight=1.2,
            columnspacing=1.4,
        )


def _axes(ax: Axes | None, caller: str) -> tuple[Axes, Figure | SubFigure]:
    """The given axes, or new ones in a figure that leaves room for labels."""
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError(
            f"{caller} requires matplotlib. You can install matplotlib with "
            "`pip install matplotlib`"
        ) from error
    if ax is None:
        _, ax = plt.subplots(layout="constrained")
    return ax, ax.figure


def _name_lines(lines: list[Line2D], name: str) -> None:
    for line in lines:
        line.set_label(f"{name}: {line.get_label()}")


def _tidy(ax: Axes) -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.grid(color="0.92", linewidth=0.8)
    ax.set_axisbelow(True)


def _require_half_width(rho: float) -> None:
    if not (np.isfinite(rho) and rho >= 0):
        raise ValueError(f"rho must be a finite number >= 0, got {rho!r}.")


def _place_of(rho: float, widths: FloatArray) -> int:
    """The point of a rejection curve that a band of half width rho is at."""
    return int(np.searchsorted(widths, rho, side="right")) - 1


def _ticks(column: FloatArray, count: int, margin: float) -> FloatArray:
    low, high = float(np.nanmin(column)), float(np.nanmax(column))
    beyond = margin * (high - low) or 1.0  # a constant feature has no range
    return np.linspace(low - beyond, high + beyond, count)


def _like(X: Any, grid: FloatArray) -> Any:
    """The grid as a frame if X is one, for estimators that know their columns by name."""
    if not hasattr(X, "columns"):
        return grid
    return type(X)(dict(zip(X.columns, grid.T)))
