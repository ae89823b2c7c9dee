//! The program `kugelbahn`.

fn main() -> std::process::ExitCode {
    kugelbahn_cli::main(kugelbahn_cli::Methods::builtin())
}
