//! Compiles the lalrpop grammars of one crate, in the folder of its name, into parsers.

use std::env;
use std::path::Path;

fn main() {
    let package = env::var("CARGO_PKG_NAME").expect("cargo names the package");
    let crate_name = package.trim_start_matches("takt-");
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo names the folder");
    let folder = Path::new(&manifest).join("../../grammar").join(crate_name);
    println!("cargo:rerun-if-changed={}", folder.display());
    lalrpop::Configuration::new()
        .emit_rerun_directives(true)
        .set_in_dir(folder)
        .process()
        .expect("the grammars are well-formed");
}
