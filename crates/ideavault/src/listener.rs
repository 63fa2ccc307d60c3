//! The listening socket.
//!
//! Invariant: while systemd restarts the server, it keeps the socket, so that clients wait instead
//! of being refused. A server that cannot start takes it back, so that they do not wait in vain.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::AsFd as _;

use listenfd::ListenFd;
use sd_notify::NotifyState;

/// The name that systemd knows the socket by.
const NAME: NotifyState<'_> = NotifyState::FdName("listen");

/// Binds an address, and returns it with the port that the system chose for port 0.
pub fn listen(configured: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    let listener = TcpListener::bind(configured)?;
    let address = listener.local_addr()?;
    Ok((listener, address))
}

/// Takes the socket that the server before has left with systemd; binds the address where there
/// is none, or one of another address.
pub fn take_or_listen(configured: SocketAddr) -> io::Result<(TcpListener, SocketAddr)> {
    if let Some(kept) = ListenFd::from_env().take_tcp_listener(0)? {
        if kept.local_addr()? == configured {
            return Ok((kept, configured));
        }
        release();
    }
    listen(configured)
}

/// Leaves the socket with systemd for the next server, if systemd has started this one.
pub fn keep(listener: &TcpListener) {
    let kept = sd_notify::notify_with_fds(&[NotifyState::FdStore, NAME], &[listener.as_fd()]);
    if let Err(error) = kept {
        tracing::warn!(%error, "could not leave the listening socket with systemd");
    }
}

/// Takes the socket back from systemd.
pub fn release() {
    if let Err(error) = sd_notify::notify(&[NotifyState::FdStoreRemove, NAME]) {
        tracing::warn!(%error, "could not take the listening socket back from systemd");
    }
}
