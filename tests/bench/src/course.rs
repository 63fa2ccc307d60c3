//! What is measured on one database, from the first request to the last.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::bare::BareServer;
use crate::http::{Connection, Request};
use crate::load::{Load, Measured};
use crate::promises::Promises;
use crate::report::{Report, Row};
use crate::scene::LoadedGate;
use crate::seed::{Crowd, Seeder, settle};
use crate::server::Server;
use crate::slow;

/// The little data that the first measurement has: full pages, and little more.
const FEW: Crowd = Crowd {
    readers: 100,
    comments: 250,
};
const COLLECTED_FEW: usize = 250;

/// What each of the many ideas has that come to it. As much as a ninth of all that
/// is about one idea, so that on average an idea has 10 readers and 100 comments.
const EACH: Crowd = Crowd {
    readers: 9,
    comments: 90,
};

/// Who ask, while slow clients or logins keep the server busy.
const OTHERS: usize = 4;
/// Who sign in at a time.
const LOGINS: usize = 50;

/// One database.
pub(crate) struct Course<'a> {
    /// Its name.
    pub(crate) name: &'static str,
    /// The release build of the server.
    pub(crate) binary: &'a Path,
    /// Where it is; without one, it is SQLite.
    pub(crate) postgres: Option<&'a str>,
    /// How to load it.
    pub(crate) load: Load,
    /// How many ideas are much data.
    pub(crate) ideas: usize,
}

impl Course<'_> {
    /// Measures and prints; answers whether everything stays within what is promised.
    pub(crate) fn run(&self) -> Outcome<bool> {
        let server = Server::start(self.binary, self.postgres)?;
        let at_rest = server.peak_memory()?;
        let scene = LoadedGate::set(server.address())?;
        let seeder = Seeder::open(&server.database_url(), &server.key_file())?;
        seeder.add_crowd(scene.disclosed, FEW)?;
        seeder.add_ideas(scene.collector, COLLECTED_FEW, EACH)?;
        let mut rows = self.with_little_data(&server, &scene)?;
        let with_little = server.peak_memory()?;

        let seeded_in = self.fill(&seeder, &scene)?;
        drop(seeder);
        for (row, (_, request)) in rows.iter_mut().zip(&scene.requests) {
            row.with_much_data = self.load.run(server.address(), request)?;
        }

        let with_much = server.peak_memory()?;

        let mut promises = Promises::default();
        promises.much_data(&rows);
        let (others, cut) = slow::beside(server.address(), &scene.download, |duration| {
            asking(&server, &scene, duration)
        })?;
        promises.slow_clients(others.p99, &cut);
        let beside_slow = server.peak_memory()?;
        promises.logins(self.beside_logins(&server, &scene)?.p99);
        let beside_logins = server.peak_memory()?;
        promises.memory(beside_logins);
        let report = Report {
            database: self.name,
            start: server.start_time(),
            seeded_in,
            memory: [
                ("at rest", at_rest),
                ("with little data", with_little),
                ("with much", with_much),
                ("beside slow clients", beside_slow),
                ("beside logins", beside_logins),
            ],
            rows,
        };
        report.print()?;
        promises.print()
    }

    /// Adds much data: one idea has a tenth of the crowd, one owner four tenths of
    /// the ideas.
    fn fill(&self, seeder: &Seeder, scene: &LoadedGate) -> Outcome<Duration> {
        let began = Instant::now();
        let crowd = Crowd {
            readers: self.ideas,
            comments: self.ideas * 10,
        };
        let collected = self.ideas * 4 / 10;
        seeder.add_crowd(scene.disclosed, crowd)?;
        seeder.add_ideas(scene.collector, collected, EACH)?;
        seeder.add_ideas(scene.others, self.ideas - collected, EACH)?;
        if let Some(url) = self.postgres {
            settle(url)?;
        }
        Ok(began.elapsed())
    }

    /// Each route, beside a bare one that answers the same bytes.
    fn with_little_data(&self, server: &Server, scene: &LoadedGate) -> Outcome<Vec<Row>> {
        let mut rows = Vec::new();
        for (title, request) in &scene.requests {
            let answer = Connection::open(server.address())?.send(request)?;
            let bare = BareServer::start(&answer.body)?;
            let ceiling = self.load.run(bare.address(), &Request::get("/"))?;
            drop(bare);
            rows.push(Row {
                title,
                bytes: answer.body.len(),
                ceiling,
                measured: self.load.run(server.address(), request)?,
                with_much_data: Measured::default(),
            });
        }
        Ok(rows)
    }

    fn beside_logins(&self, server: &Server, scene: &LoadedGate) -> Outcome<Measured> {
        let duration = self.load.duration;
        let logins = Load {
            connections: LOGINS,
            duration,
        };
        thread::scope(|scope| {
            let logins = scope.spawn(|| logins.run(server.address(), &scene.login));
            let others = asking(server, scene, duration)?;
            logins.join().map_err(|_| "a login panicked")??;
            Ok(others)
        })
    }
}

/// How long others wait for an answer.
fn asking(server: &Server, scene: &LoadedGate, duration: Duration) -> Outcome<Measured> {
    let load = Load {
        connections: OTHERS,
        duration,
    };
    load.run(server.address(), scene.lightest()?)
}
