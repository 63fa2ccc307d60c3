//! Rebuilds the server when the frontend that it embeds was built anew.

fn main() {
    println!("cargo::rerun-if-changed=../../frontend/dist");
}
