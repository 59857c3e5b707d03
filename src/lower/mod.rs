//! From a plan to a network of priced timed automata, built from the templates.
