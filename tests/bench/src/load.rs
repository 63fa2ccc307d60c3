//! A bounded load: a fixed number of connections with one request at a time on each.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::http::{Connection, Request};

/// How long a server is warmed up before the measurement.
const WARM_UP: Duration = Duration::from_secs(1);

/// The size of a load.
pub(crate) struct Load {
    /// The number of concurrent connections.
    pub(crate) connections: usize,
    /// How long to send requests.
    pub(crate) duration: Duration,
}

/// The result of a load.
#[derive(Default)]
pub(crate) struct Measured {
    /// Responses per second.
    pub(crate) per_second: f64,
    /// The median response time.
    pub(crate) p50: Duration,
    /// The 99th percentile of the response times.
    pub(crate) p99: Duration,
}

impl Load {
    /// Sends `request` repeatedly; fails at any status other than success.
    pub(crate) fn run(&self, address: SocketAddr, request: &Request) -> Outcome<Measured> {
        self.for_a_while(address, request, WARM_UP)?;
        let began = Instant::now();
        let mut times = self.for_a_while(address, request, self.duration)?;
        let seconds = began.elapsed().as_secs_f64();
        times.sort_unstable();
        let at = |part: f64| {
            let last = times.len().saturating_sub(1);
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                clippy::cast_precision_loss,
                reason = "a position in a list of some million times"
            )]
            let position = (last as f64 * part) as usize;
            times
                .get(position)
                .copied()
                .ok_or("no request was answered")
        };
        #[expect(clippy::cast_precision_loss, reason = "some million requests")]
        let per_second = times.len() as f64 / seconds;
        Ok(Measured {
            per_second,
            p50: at(0.50)?,
            p99: at(0.99)?,
        })
    }

    fn for_a_while(
        &self,
        address: SocketAddr,
        request: &Request,
        duration: Duration,
    ) -> Outcome<Vec<Duration>> {
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.connections)
                .map(|_| scope.spawn(move || one_connection(address, request, duration)))
                .collect();
            let mut times = Vec::new();
            for worker in workers {
                times.extend(worker.join().map_err(|_| "a connection panicked")??);
            }
            Ok(times)
        })
    }
}

fn one_connection(
    address: SocketAddr,
    request: &Request,
    duration: Duration,
) -> Outcome<Vec<Duration>> {
    let mut connection = Connection::open(address)?;
    let mut times = Vec::new();
    let end = Instant::now() + duration;
    loop {
        let began = Instant::now();
        if began >= end {
            return Ok(times);
        }
        let answer = connection.send(request)?;
        if !(200..300).contains(&answer.status) {
            return Err(format!("the server answered {}", answer.status).into());
        }
        times.push(began.elapsed());
    }
}
