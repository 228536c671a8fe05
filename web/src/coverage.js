// What the risk–coverage curve says at any share of answered cases.

/**
 * The curve has one point per distinct certainty (or some of them). Between two points cases are
 * taken by lot, so that errors grow evenly; before the first, at its rate.
 * Returns the error rate among the answered with its interval, or null where none is answered.
 */
export function at_coverage(curve, coverage) {
  if (coverage <= 0) return null;
  const next = curve.findIndex((point) => point.coverage >= coverage);
  if (next < 0) return curve[curve.length - 1];
  const right = curve[next];
  if (next === 0 || right.coverage === coverage) return right;
  const left = curve[next - 1];
  const share = (coverage - left.coverage) / (right.coverage - left.coverage);
  const between = (a, b) => a + share * (b - a);
  return {
    risk: between(left.coverage * left.risk, right.coverage * right.risk) / coverage,
    low: between(left.low, right.low),
    high: between(left.high, right.high),
  };
}

/** Of this many cases: how many a person reviews, and how many errors pass. */
export function of_cases(curve, rejection_rate, cases = 1000) {
  const at = at_coverage(curve, 1 - rejection_rate);
  const answered = cases * (1 - rejection_rate);
  return {
    reviewed: cases * rejection_rate,
    errors: answered * (at?.risk ?? 0),
    low: answered * (at?.low ?? 0),
    high: answered * (at?.high ?? 0),
  };
}

/**
 * The cost d of a rejection at which rejecting this share costs least: d·(1 − c) + errors(c) has its
 * least value at the coverage c where the lower convex hull of errors(c) has slope d. Between 0.001
 * and 0.5, what training takes, to three digits.
 */
export function cost_for(curve, rejection_rate) {
  const coverage = 1 - rejection_rate;
  const hull = [{ x: 0, y: 0 }];
  const slope = (a, b) => (b.y - a.y) / (b.x - a.x);
  for (const { coverage: x, risk } of curve) {
    const point = { x, y: x * risk };
    while (hull.length > 1 && slope(hull[hull.length - 2], hull[hull.length - 1]) >= slope(hull[hull.length - 1], point)) hull.pop();
    hull.push(point);
  }
  const right = Math.max(1, hull.findIndex(({ x }) => x >= coverage - 1e-12));
  return Number(Math.min(0.5, Math.max(0.001, slope(hull[right - 1], hull[right]))).toFixed(3));
}
