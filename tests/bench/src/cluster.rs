//! `just cluster`: three instances behind nginx, on one Postgres and one bucket. Measures one,
//! two and three of them under the same mixed load, then kills and stops instances under it and
//! starts them again, and compares what was acknowledged with what is there afterwards.

mod bucket;
mod check;
mod client;
mod instance;
mod proxy;
mod tally;

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ideavault_crypto::MasterKey;
use tempfile::TempDir;

use crate::Outcome;
use crate::seed::random;
use crate::server::free_address;

use self::bucket::Bucket;
use self::client::Client;
use self::instance::{Instance, Vault};
use self::proxy::Proxy;
use self::tally::Tally;

/// How many instances there are.
const INSTANCES: usize = 3;
/// How long one, two and three instances are measured each.
const MEASURED: Duration = Duration::from_secs(15);
/// The time between an end and the next start, and between that and the next end.
const PAUSE: Duration = Duration::from_secs(2);
/// The longest that anyone may wait for an answer while instances end and start.
const WAIT_MAX: Duration = Duration::from_secs(10);

#[derive(clap::Args)]
pub(crate) struct Options {
    /// The release build of the server.
    #[arg(long)]
    server: PathBuf,
    /// A Postgres superuser's address.
    #[arg(long, env = "IDEAVAULT_TEST_POSTGRES_URL", hide_env_values = true)]
    postgres: String,
    /// The folder of the S3 server.
    #[arg(long)]
    bucket: PathBuf,
    /// The program nginx.
    #[arg(long, default_value = "nginx")]
    nginx: PathBuf,
    /// Seconds during which instances end and start.
    #[arg(long, default_value_t = 120)]
    seconds: u64,
    /// Clients at a time, each with an account of its own.
    #[arg(long, default_value_t = 12)]
    clients: usize,
}

/// Measures and prints. Returns whether nothing was lost and nobody waited too long.
pub(crate) fn run(options: &Options) -> Outcome<bool> {
    let folder = TempDir::new()?;
    let bucket = Bucket::start(&options.bucket)?;
    let addresses: Vec<_> = (0..INSTANCES)
        .map(|_| free_address())
        .collect::<Result<_, _>>()?;
    let proxy = Proxy::start(&options.nginx, &folder.path().join("nginx"), &addresses)?;
    let vault = Vault {
        binary: options.server.clone(),
        database_url: options.postgres.clone(),
        bucket_endpoint: bucket.endpoint().to_owned(),
        public_url: format!("http://{}", proxy.address()),
        key: MasterKey::from_random(random()?).reveal(),
    };
    let mut instances = Vec::new();
    for (number, address) in (1..).zip(addresses) {
        let data = folder.path().join(format!("data{number}"));
        instances.push(Instance::new(data, address)?);
    }

    let mut clients = Vec::new();
    let mut measured = Vec::new();
    for count in 1..=INSTANCES {
        let newest = instances.get_mut(count - 1).ok_or("no such instance")?;
        newest.start(&vault)?;
        newest.until_ready()?;
        if clients.is_empty() {
            clients = sign_up(proxy.address(), options.clients)?;
        }
        let tally = beside(&mut clients, || {
            thread::sleep(MEASURED);
            Ok(())
        })?;
        measured.push((count, tally.per_second(MEASURED)));
    }

    let duration = Duration::from_secs(options.seconds);
    let mut ends = Ends::default();
    let tally = beside(&mut clients, || {
        ends = end_and_start(&mut instances, &vault, duration)?;
        Ok(())
    })?;

    for instance in &instances {
        instance.until_ready()?;
    }
    let found = check::compare(&mut clients)?;
    let first = instances.first().ok_or("no instance")?;
    let (said, is_whole) = check::record(&vault, first.data())?;
    let during = tally.per_second(duration);
    let mut out = std::io::stdout().lock();
    for (count, per_second) in measured {
        writeln!(
            out,
            "{count} of {INSTANCES} instances: {per_second:.0} requests a second"
        )?;
    }
    writeln!(
        out,
        "While instances ended ({} killed, {} stopped) and started: {during:.0} requests a second",
        ends.killed, ends.stopped
    )?;
    writeln!(
        out,
        "Of {} requests, {} took longer than a second, repetitions included; the longest {:.1} s",
        tally.answered,
        tally.late,
        tally.longest.as_secs_f64()
    )?;
    writeln!(
        out,
        "Acknowledged: {} ideas, {} comments, {} files; lost: {}",
        found.ideas,
        found.comments,
        found.files,
        found.lost.len()
    )?;
    for lost in &found.lost {
        writeln!(out, "  {lost}")?;
    }
    writeln!(out, "{said}")?;
    out.flush()?;
    Ok(found.lost.is_empty() && is_whole && tally.longest <= WAIT_MAX)
}

fn sign_up(server: SocketAddr, count: usize) -> Outcome<Vec<Client>> {
    (0..count)
        .map(|number| Client::sign_up(server, number))
        .collect()
}

/// Runs all clients until `work` is done, and returns what they counted meanwhile.
fn beside(clients: &mut [Client], work: impl FnOnce() -> Outcome<()>) -> Outcome<Tally> {
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        let running: Vec<_> = clients
            .iter_mut()
            .map(|client| scope.spawn(|| client.run(&stop)))
            .collect();
        let worked = work();
        stop.store(true, Ordering::Relaxed);
        let mut all = Tally::default();
        for client in running {
            all.add(client.join().map_err(|_| "a client panicked")??);
        }
        worked.map(|()| all)
    })
}

/// How often instances ended.
#[derive(Clone, Copy, Default)]
struct Ends {
    killed: usize,
    stopped: usize,
}

/// Ends one instance after the other, by turns without and with a warning, and starts it again
/// after a pause.
fn end_and_start(instances: &mut [Instance], vault: &Vault, duration: Duration) -> Outcome<Ends> {
    let mut ends = Ends::default();
    let until = Instant::now() + duration;
    for turn in 0.. {
        if Instant::now() >= until {
            break;
        }
        let count = instances.len();
        let instance = instances.get_mut(turn % count).ok_or("no such instance")?;
        if turn % 2 == 0 {
            instance.kill();
            ends.killed += 1;
        } else {
            instance.stop()?;
            ends.stopped += 1;
        }
        thread::sleep(PAUSE);
        instance.start(vault)?;
        instance.until_ready()?;
        thread::sleep(PAUSE);
    }
    Ok(ends)
}
