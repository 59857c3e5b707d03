//! Instructions, and the pass that makes them from trees.

use super::Model;

/// All instructions of a model, one after the other.
#[derive(Clone, Debug, Default)]
pub struct Code {}

/// Compiles every term and function of the model that has no code yet.
pub fn generate(_model: &mut Model) {}
