//! The sequence of measurements on one database.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::bare::BareServer;
use crate::earlier::Earlier;
use crate::evidence;
use crate::http::{Connection, Request};
use crate::load::{Load, Measured};
use crate::promises::Promises;
use crate::report::{Report, Row, rate};
use crate::seed::{Crowd, Seeder, settle};
use crate::server::Server;
use crate::slow;
use crate::workload::Workload;

/// The small data set of the first measurement: little more than full pages.
const FEW: Crowd = Crowd {
    readers: 100,
    comments: 250,
};
const COLLECTED_FEW: usize = 250;

/// The crowd of each idea in the large data set. One more idea has a ninth of the total,
/// so that on average an idea has 10 readers and 100 comments.
const EACH: Crowd = Crowd {
    readers: 9,
    comments: 90,
};

/// Connections that send requests while writes, slow clients or logins keep the server busy.
const OTHERS: usize = 4;
/// Concurrent logins.
const LOGINS: usize = 50;

/// Logins after which the memory at rest is measured, and how long after.
const LOGINS_BEFORE_REST: usize = 100;
const REST: Duration = Duration::from_secs(2);

/// The measurements on one database.
pub(crate) struct Course<'a> {
    /// The name of the database, for the report.
    pub(crate) name: &'static str,
    /// An optimised build of the server.
    pub(crate) binary: &'a Path,
    /// The address of a Postgres server; `None` measures SQLite.
    pub(crate) postgres: Option<&'a str>,
    /// The load of each measurement.
    pub(crate) load: Load,
    /// The number of ideas in the large data set.
    pub(crate) ideas: usize,
    /// The folder of the figures that are kept for the next run.
    pub(crate) figures: &'a Path,
}

impl Course<'_> {
    /// Measures and prints; returns whether all figures are within their limits.
    pub(crate) fn run(&self) -> Outcome<bool> {
        let earlier = Earlier::read(self.figures, self.name)?;
        let mut server = Server::start(self.binary, self.postgres)?;
        let at_start = server.peak_memory()?;
        let workload = Workload::set(server.address())?;
        let mut promises = Promises::default();
        promises.memory_at_rest(after_logins(&server, &workload)?);
        let seeder = Seeder::open(&server.database_url(), &server.key_file())?;
        seeder.add_crowd(workload.disclosed, FEW)?;
        seeder.add_ideas(workload.collector, COLLECTED_FEW, EACH)?;
        let mut rows = self.with_little_data(&server, &workload)?;
        let with_little = server.peak_memory()?;

        // The server stands still meanwhile, so that many events have no place afterwards.
        evidence::until_placed(&seeder)?;
        server.pause()?;
        let seeded_in = self.fill(&seeder, &workload)?;
        server.resume()?;
        let (before, began) = (seeder.placed()?, Instant::now());
        evidence::until_placed(&seeder)?;
        let placed = seeder.placed()? - before;
        promises.filling(placed, seeded_in);
        let placed_per_second = rate(placed, began.elapsed());
        for (row, route) in rows.iter_mut().zip(&workload.routes) {
            row.with_much_data = self.load.run(server.address(), &route.request)?;
        }

        let with_much = server.peak_memory()?;

        let writing = workload.routes.last().ok_or("nothing is measured")?;
        let connections = self.load.connections;
        let load = || self.beside(&server, &workload, connections, &writing.request);
        let (others, longest) = evidence::longest_wait(&seeder, load)?;
        promises.writes(&others);
        promises.wait_for_places(longest);
        evidence::until_placed(&seeder)?;
        let ideas = [workload.exported, workload.disclosed];
        let figures = evidence::measure(self.binary, &server, &seeder, ideas, placed_per_second)?;
        promises.evidence(&figures);
        drop(seeder);
        promises.shares(&rows, self.postgres.is_some());
        promises.much_data(&rows);
        let (others, cut) = slow::beside(server.address(), &workload.download, |duration| {
            asking(&server, &workload, duration)
        })?;
        promises.slow_clients(&others, &cut);
        let beside_slow = server.peak_memory()?;
        promises.logins(&self.beside(&server, &workload, LOGINS, &workload.login)?);
        let beside_logins = server.peak_memory()?;
        promises.memory(beside_logins);
        let start_time = server.start_time();
        promises.start(server.restart()?);
        let report = Report {
            earlier,
            database: self.name,
            start: start_time,
            seeded_in,
            memory: [
                ("at the start", at_start),
                ("with little data", with_little),
                ("with much", with_much),
                ("beside slow clients", beside_slow),
                ("beside logins", beside_logins),
            ],
            rows,
        };
        report.print()?;
        let all_kept = promises.print()?;
        report.earlier.replace(&report.rows)?;
        Ok(all_kept)
    }

    /// Adds the large data set: one idea has a tenth of the crowd, one owner four tenths
    /// of the ideas.
    fn fill(&self, seeder: &Seeder, workload: &Workload) -> Outcome<Duration> {
        let began = Instant::now();
        let crowd = Crowd {
            readers: self.ideas,
            comments: self.ideas * 10,
        };
        let collected = self.ideas * 4 / 10;
        seeder.add_crowd(workload.disclosed, crowd)?;
        seeder.add_crowd(workload.exported, evidence::EXPORTED)?;
        seeder.add_ideas(workload.collector, collected, EACH)?;
        seeder.add_ideas(workload.others, self.ideas - collected, EACH)?;
        if let Some(url) = self.postgres {
            settle(url)?;
        }
        Ok(began.elapsed())
    }

    /// Measures each route, and a bare one with the same response body.
    fn with_little_data(&self, server: &Server, workload: &Workload) -> Outcome<Vec<Row>> {
        let mut rows = Vec::new();
        for route in &workload.routes {
            let request = &route.request;
            let answer = Connection::open(server.address())?.send(request)?;
            let bare = BareServer::start(&answer.body)?;
            let ceiling = self.load.run(bare.address(), &Request::get("/"))?;
            drop(bare);
            rows.push(Row {
                title: route.title,
                promised_share: route.promised_share,
                bytes: answer.body.len(),
                ceiling,
                measured: self.load.run(server.address(), request)?,
                with_much_data: Measured::default(),
            });
        }
        Ok(rows)
    }

    /// Measures how long other clients wait while so many connections send `request`.
    fn beside(
        &self,
        server: &Server,
        workload: &Workload,
        connections: usize,
        request: &Request,
    ) -> Outcome<Measured> {
        let duration = self.load.duration;
        let load = Load {
            connections,
            duration,
        };
        thread::scope(|scope| {
            let load = scope.spawn(|| load.run(server.address(), request));
            let others = asking(server, workload, duration)?;
            load.join().map_err(|_| "a request panicked")??;
            Ok(others)
        })
    }
}

/// Returns the resident memory when nothing was requested for a moment after many logins, in KiB.
fn after_logins(server: &Server, workload: &Workload) -> Outcome<u64> {
    let mut connection = Connection::open(server.address())?;
    for _ in 0..LOGINS_BEFORE_REST {
        let status = connection.send(&workload.login)?.status;
        if status != 200 {
            return Err(format!("a login was answered {status}").into());
        }
    }
    thread::sleep(REST);
    server.memory()
}

/// Measures how long other clients wait for a response.
fn asking(server: &Server, workload: &Workload, duration: Duration) -> Outcome<Measured> {
    let load = Load {
        connections: OTHERS,
        duration,
    };
    load.run(server.address(), workload.lightest()?)
}
