# Rscript ipop.R DATA.csv GAMMA C [D]: the first round of the double ramp, solved as the paper did it, with
# kernlab's ipop. DATA: features, then the label -1 or 1, no header. For every d, or just D, one line:
# d, the smallest upper bound (minus the optimum of the dual), CPU seconds, wall seconds, ipop's own verdict. The
# problem has a singular matrix of 2N rows, which ipop sometimes gives up on: NA and "singular".
#
# In 2N variables gamma', gamma'' (docs/design.md, with mu = 1 and no flat ramp yet):
#   minimise    1/2 v'Kv - y'v,   v = y (gamma' + gamma'')
#   subject to  0 <= gamma' <= C d,   0 <= gamma'' <= C (1 - d)
#               sum y (gamma' + gamma'') = 0,   sum (gamma' - gamma'') = 0
suppressPackageStartupMessages(library(kernlab))

arguments <- commandArgs(trailingOnly = TRUE)
data <- as.matrix(read.csv(arguments[1], header = FALSE))
gamma <- as.numeric(arguments[2])
C <- as.numeric(arguments[3])
y <- data[, ncol(data)]
x <- data[, -ncol(data), drop = FALSE]
n <- length(y)

Q <- kernelMatrix(rbfdot(sigma = gamma), x)@.Data * outer(y, y)
H <- rbind(cbind(Q, Q), cbind(Q, Q))
A <- rbind(c(y, y), c(rep(1, n), rep(-1, n)))
costs <- if (length(arguments) > 3) as.numeric(arguments[4]) else seq(0.05, 0.5, by = 0.05)
for (d in costs) {
  upper <- c(rep(C * d, n), rep(C * (1 - d), n))
  before <- proc.time()
  solved <- tryCatch(
    ipop(rep(-1, 2 * n), H, A, b = c(0, 0), l = rep(0, 2 * n), u = upper, r = c(0, 0)),
    error = function(e) NULL)
  took <- proc.time() - before
  bound <- NA
  if (!is.null(solved)) {
    g <- primal(solved)
    bound <- sum(g) - 0.5 * sum(g * (H %*% g))
  }
  cat(sprintf("%.2f %.10g %.4f %.4f %s\n", d, bound, took[["user.self"]] + took[["sys.self"]],
              took[["elapsed"]],
              if (is.null(solved)) "singular" else gsub(" ", "-", how(solved))))
}
