//! Compiles the lalrpop grammars beside this file into parsers at build time.

fn main() {
    lalrpop::Configuration::new()
        .emit_rerun_directives(true)
        .set_in_dir("grammar")
        .process()
        .expect("the grammars in grammar/ are well-formed");
}
