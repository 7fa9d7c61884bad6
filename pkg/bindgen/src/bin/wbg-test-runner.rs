//! `wasm-bindgen-test-runner`, pinned: runs `#[wasm_bindgen_test]` functions in Node or a browser.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    wasm_bindgen_cli::wasm_bindgen_test_runner::run_cli_with_args(std::env::args_os())?;
    Ok(())
}
