//! The `takt` program: all of it is in the library's `cli`.

fn main() -> std::process::ExitCode {
    takt::cli::main()
}
