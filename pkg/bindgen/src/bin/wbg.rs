//! `wasm-bindgen`, pinned. (A binary of that very name is refused by rustc.)

fn main() -> Result<(), Box<dyn std::error::Error>> {
    wasm_bindgen_cli::wasm_bindgen::run_cli_with_args(std::env::args_os())?;
    Ok(())
}
