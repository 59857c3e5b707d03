//! Joins the stages.
