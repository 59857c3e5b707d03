//! A schedule against its spec; decides everything by itself.
