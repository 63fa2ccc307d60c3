//! The baseline: the same web framework with a fixed response body.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use actix_web::web::Bytes;
use actix_web::{App, HttpResponse, HttpServer, web};
use tempfile::NamedTempFile;

use crate::Outcome;

/// Serves the bytes of `file` as JSON on every path, and prints its address.
pub(crate) fn serve(file: &Path) -> Outcome<()> {
    let body = Bytes::from(std::fs::read(file)?);
    actix_web::rt::System::new().block_on(async move {
        let server = HttpServer::new(move || {
            let body = body.clone();
            App::new().default_service(web::to(move || {
                let answer = HttpResponse::Ok()
                    .content_type("application/json")
                    .body(body.clone());
                async { answer }
            }))
        })
        .bind("127.0.0.1:0")?;
        let address = server.addrs().into_iter().next().ok_or("not bound")?;
        let mut stdout = std::io::stdout();
        writeln!(stdout, "{address}")?;
        stdout.flush()?;
        Ok(server.run().await?)
    })
}

/// [`serve`] in a separate process, killed on drop.
pub(crate) struct BareServer {
    child: Child,
    address: SocketAddr,
    _body: NamedTempFile,
}

impl BareServer {
    /// Starts a server that responds with `body`.
    pub(crate) fn start(body: &[u8]) -> Outcome<Self> {
        let mut file = NamedTempFile::new()?;
        file.write_all(body)?;
        let mut child = Command::new(std::env::current_exe()?)
            .arg("bare")
            .arg(file.path())
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = child.stdout.take().ok_or("no output")?;
        let mut line = String::new();
        BufReader::new(stdout).read_line(&mut line)?;
        Ok(Self {
            child,
            address: line.trim().parse()?,
            _body: file,
        })
    }

    /// Returns the address that it listens on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for BareServer {
    fn drop(&mut self) {
        crate::server::end(&mut self.child);
    }
}
