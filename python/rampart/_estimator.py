"""RejectOptionClassifier."""

from __future__ import annotations

from typing import Any, Optional, Union

from rampart._classifier import FittedClassifier
from rampart._options import TRAINING


class RejectOptionClassifier(FittedClassifier):
    """A classifier of two classes that may decline to answer.

    Learns a decision function f and the half width ``rho_`` of a rejection band together, by
    minimising the double ramp loss (or one of three others) for the cost d of declining. A row is
    answered by the sign of f where ``|f(x)| > rho_``, and rejected otherwise, or if it is unlike
    the training rows.

    Parameters
    ----------
    reject_cost : float, default=0.2
        Cost d of declining, where a wrong answer costs 1; 0 < d <= 0.5. Larger: fewer rows are
        rejected.
    loss : {'double_ramp', 'double_hinge', 'generalized_hinge', 'hinge'}, default='double_ramp'
        What is minimised.
    C : float, default=1.0
        Weight of the loss against half the squared norm of w. Larger: a closer fit to the training
        rows, and longer training.
    kernel : {'rbf', 'linear', 'polynomial', 'poly', 'sigmoid', 'precomputed'}, default='rbf'
        How rows are compared.
    gamma : float, 'scale' or 'auto', default='scale'
        Of the kernel: a number, 1 / (n_features * X.var()) or 1 / n_features, of scaled features.
        Larger: a more wiggly surface.
    degree : int, default=3
        Of the polynomial kernel. Larger: a more wiggly surface.
    coef0 : float, default=0.0
        Of the polynomial and sigmoid kernels. Larger: lower degrees count more.
    mu : float, default=1.0
        Width of the ramps, 0 < mu <= 1. Larger: a smoother loss; smaller ones come closer to the
        costs themselves.
    costs : tuple of four floats, default=None
        Cost of a false positive, of a false negative, of rejecting a positive and of rejecting a
        negative, instead of ``reject_cost``. Larger: that outcome becomes rarer.
    class_weight : dict or 'balanced', default=None
        Rows of a class count so many times; 'balanced': both classes count the same. Larger: fewer
        errors in that class.
    scale : {'auto', 'standard', 'minmax', 'none'}, default='auto'
        Scale the features, and remember how in the model. 'auto': standard for data of which at
        least half of the values are not 0, none for others.
    missing : {'auto', 'indicator', 'median', 'drop', 'refuse'}, default='auto'
        What becomes of missing values: the median, with a 0/1 feature that says so ('indicator') or
        without ('median'); or their rows are dropped, or refused. 'auto': 'indicator' for data
        frames; NaN in an array is refused.
    categorical : list of column names or numbers, default=None
        Columns of numbers that are categories. Categorical and boolean columns of a data frame
        always are, and columns with a cell of text that is no number.
    max_categories : int, default=100
        A column of text with more different values is refused. Larger: more memory and features.
    unfamiliar : float, default=0.005
        Reject rows unlike the training rows: at most this share of rows like them; 0: none. Larger:
        more rows count as unlike.
    on_incomplete : {'reject', 'impute'}, default='reject'
        Rows to predict that miss a value which no training row missed: 'impute' fills in the median
        of training, and answers.
    on_unseen : {'reject', 'ignore'}, default='reject'
        Rows to predict with a category that no training row had: 'ignore' answers without it.
    reject_label : object, default=None
        What `predict` returns for rejected rows. None: `predict` answers every row.
    band_folds : int, default=None
        Choose the band on the scores of so many inner folds; 0: the band of the loss. None: 5 for
        the hinge loss, which has none of its own, 0 for the others. Larger: longer training.
    landmarks : int, default=None
        For many rows: the part of the RBF kernel that so many training rows span (Nyström). Larger:
        closer to the kernel, and longer training.
    fourier_features : int, default=None
        For many rows: so many random Fourier features instead of the RBF kernel. Larger: closer to
        the kernel, and longer training.
    solver : {'auto', 'linear', 'smo'}, default='auto'
        'smo' works on kernel rows, 'linear' on w itself. 'auto': linear where the kernel is.
    precision : {'auto', 'single', 'double'}, default='auto'
        Of kernel rows. 'auto': double up to 2048 rows or below ``tol=1e-5``.
    tol : float, default=1e-3
        Largest violation of the optimality conditions that is left, in units of f. Larger: sooner
        done, and less exact.
    max_iter : int, default=100
        Convex rounds at most. Larger: hard problems get further.
    max_steps : int, default=None
        Steps of the solver at most. None: ten million, or 100 per row if that is more. Larger: hard
        problems get further.
    max_seconds : float, default=None
        Seconds of training, after which the best model so far is taken. None: no limit.
    cache_size : float, default=None
        Memory for kernel rows in MB, taken as it is needed. None: half of the memory there is.
        Larger: faster, up to the size of the kernel matrix. Does not change results.
    n_jobs : int, default=None
        Threads; None is 1, -1 all. Does not change results.
    verbose : int, default=0
        Whether to show progress: as a bar in a notebook that has tqdm, elsewhere on stderr, where
        a line is added every 5 s if that is no terminal.

    Attributes
    ----------
    classes_ : ndarray of shape (2,)
        The labels, sorted. The second is the positive class: f > 0.
    n_features_in_ : int
        Columns of the training rows.
    feature_names_in_ : ndarray of str objects
        Their names, if the training rows were a data frame with names of text.
    coef_ : ndarray of shape (1, n_features)
        Linear kernel: the weights of the features as they are given;
        `get_feature_names_out` has their names.
    intercept_ : ndarray of shape (1,)
        b of f(x) = coef_ · x + b, or of f(x) = dual_coef_ · k(support_vectors_, x) + b in scaled
        features.
    support_ : ndarray of shape (n_vectors,)
        Other kernels: which training rows are support vectors.
    n_support_ : ndarray of shape (2,)
        Other kernels: how many of them each class has.
    support_vectors_ : ndarray or sparse matrix of shape (n_vectors, n_features)
        Other kernels: these rows.
    dual_coef_ : ndarray of shape (1, n_vectors)
        Other kernels: their coefficients.
    rho_ : float
        Half width of the rejection band.
    n_iter_ : int
        Convex rounds.
    objective_ : float
        What training minimised, at the model.
    history_ : ndarray of shape (n_iter_,)
        The objective after each round.
    zones_ : ndarray of str of shape (n_samples,)
        Double ramp loss: the part of the loss that each training row lies on.

    See Also
    --------
    RejectOptionClassifierCV : The same with C, gamma and more chosen by cross-validation.

    Examples
    --------
    >>> import numpy as np
    >>> from rampart import RejectOptionClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(400, 2))
    >>> y = np.where(X[:, 0] + rng.normal(scale=0.5, size=400) > 0, "sick", "well")
    >>> model = RejectOptionClassifier(reject_cost=0.1, kernel="linear").fit(X, y)
    >>> model.predict_with_reject([[-2, 0], [0, 0], [2, 0]])
    array(['well', 'reject', 'sick'], dtype='<U6')
    >>> model.reasons([[0, 0], [50, 0]])[0]
    'ambiguous'
    """

    def __init__(
        self,
        *,
        reject_cost: float = 0.2,
        loss: str = "double_ramp",
        C: float = 1.0,
        kernel: str = "rbf",
        gamma: Union[float, str] = "scale",
        degree: int = 3,
        coef0: float = 0.0,
        mu: float = 1.0,
        costs: Optional[tuple[float, float, float, float]] = None,
        class_weight: Any = None,
        scale: str = "auto",
        missing: str = "auto",
        categorical: Any = None,
        max_categories: int = 100,
        unfamiliar: float = 0.005,
        on_incomplete: str = "reject",
        on_unseen: str = "reject",
        reject_label: Any = None,
        band_folds: Optional[int] = None,
        landmarks: Optional[int] = None,
        fourier_features: Optional[int] = None,
        solver: str = "auto",
        precision: str = "auto",
        tol: float = 1e-3,
        max_iter: int = 100,
        max_steps: Optional[int] = None,
        max_seconds: Optional[float] = None,
        cache_size: Optional[float] = None,
        n_jobs: Optional[int] = None,
        verbose: int = 0,
    ) -> None:
        self.reject_cost = reject_cost
        self.loss = loss
        self.C = C
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.mu = mu
        self.costs = costs
        self.class_weight = class_weight
        self.scale = scale
        self.missing = missing
        self.categorical = categorical
        self.max_categories = max_categories
        self.unfamiliar = unfamiliar
        self.on_incomplete = on_incomplete
        self.on_unseen = on_unseen
        self.reject_label = reject_label
        self.band_folds = band_folds
        self.landmarks = landmarks
        self.fourier_features = fourier_features
        self.solver = solver
        self.precision = precision
        self.tol = tol
        self.max_iter = max_iter
        self.max_steps = max_steps
        self.max_seconds = max_seconds
        self.cache_size = cache_size
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> RejectOptionClassifier:
        """Trains on labelled rows.

        Parameters
        ----------
        X : array-like, sparse matrix or data frame of shape (n_samples, n_features)
            Training rows. Float arrays in C order and CSR matrices are used where they lie. With
            ``kernel='precomputed'``, the matrix of kernel values.
        y : array-like of shape (n_samples,)
            Labels, of two different values.
        sample_weight : array-like of shape (n_samples,), default=None
            How often each row counts; >= 0.

        Returns
        -------
        self : RejectOptionClassifier
        """
        self._fit(X, y, sample_weight, TRAINING)
        return self
