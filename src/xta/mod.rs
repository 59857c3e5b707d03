//! Text to network and back: the textual language of UPPAAL, its XML files, and queries.
