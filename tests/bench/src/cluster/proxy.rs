//! nginx in front of the instances.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command};

use crate::Outcome;
use crate::server::{end, free_address};

/// A running nginx, ended on drop.
pub(super) struct Proxy {
    process: Child,
    address: SocketAddr,
}

impl Proxy {
    /// Starts nginx with its files in `folder`, which passes requests on to `instances` by turns.
    /// It asks another instance if one does not accept the connection, and never sends a
    /// request that changes something a second time.
    pub(super) fn start(program: &Path, folder: &Path, instances: &[SocketAddr]) -> Outcome<Self> {
        std::fs::create_dir(folder)?;
        let address = free_address()?;
        let file = folder.join("nginx.conf");
        std::fs::write(&file, configuration(folder, address, instances)?)?;
        let mut command = Command::new(program);
        command.arg("-p").arg(folder).arg("-c").arg(&file);
        command.arg("-e").arg(folder.join("error.log"));
        let process = command.spawn()?;
        Ok(Self { process, address })
    }

    /// Returns the address that it listens on.
    pub(super) fn address(&self) -> SocketAddr {
        self.address
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        end(&mut self.process);
    }
}

fn configuration(
    folder: &Path,
    address: SocketAddr,
    instances: &[SocketAddr],
) -> Result<String, std::fmt::Error> {
    let mut servers = String::new();
    for instance in instances {
        writeln!(servers, "server {instance} max_fails=1 fail_timeout=1s;")?;
    }
    let mut temporary = String::new();
    for kind in ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"] {
        let folder = folder.display();
        writeln!(temporary, "{kind}_temp_path {folder}/{kind};")?;
    }
    Ok(format!(
        "daemon off;
# One process, which leaves no worker behind when it is killed.
master_process off;
pid nginx.pid;
events {{ worker_connections 1024; }}
http {{
    access_log off;
    {temporary}
    upstream instances {{
        {servers}
        keepalive 32;
    }}
    server {{
        listen {address};
        # A connection ends only when something goes wrong.
        keepalive_requests 1000000000;
        client_max_body_size 0;
        location / {{
            proxy_pass http://instances;
            proxy_http_version 1.1;
            proxy_set_header Connection \"\";
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_request_buffering off;
            proxy_buffering off;
        }}
    }}
}}
"
    ))
}
