//! Game-independent search: limits, reports, alpha-beta and Monte Carlo trees.
