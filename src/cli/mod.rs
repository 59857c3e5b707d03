//! Arguments, settings, files, terminal.
