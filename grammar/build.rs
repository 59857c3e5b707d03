//! Compiles the lalrpop grammars beside this file into parsers at build time.

fn main() {
    // The grammars name themselves; a new one is seen by its folder.
    println!("cargo:rerun-if-changed=grammar");
    lalrpop::Configuration::new()
        .emit_rerun_directives(true)
        .set_in_dir("grammar")
        .process()
        .expect("the grammars in grammar/ are well-formed");
}
