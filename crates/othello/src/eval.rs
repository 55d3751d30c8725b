//! The pattern evaluation: what a position is worth at a glance.
