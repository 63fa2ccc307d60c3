//! A bounded load: so many connections, one request at a time on each.

use std::net::SocketAddr;
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::http::{Connection, Request};

/// How long a server is warmed up before anything counts.
const WARM_UP: Duration = Duration::from_secs(1);

/// How much load.
pub(crate) struct Load {
    /// Connections at a time.
    pub(crate) connections: usize,
    /// For how long.
    pub(crate) duration: Duration,
}

/// What a load showed.
#[derive(Default)]
pub(crate) struct Measured {
    /// Requests answered in a second.
    pub(crate) per_second: f64,
    /// The median time of an answer.
    pub(crate) p50: Duration,
    /// What 99 of 100 answers stayed below.
    pub(crate) p99: Duration,
}

impl Load {
    /// Sends `request` again and again; any answer but success ends it.
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
