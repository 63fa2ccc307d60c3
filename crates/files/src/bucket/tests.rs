//! Buckets that fail. Those that work are in `tests/contract.rs`.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use super::*;

/// A server that treats each connection as it is told.
struct Stub {
    address: SocketAddr,
    /// Says when a request has arrived.
    requests: Receiver<()>,
}

impl Stub {
    fn start(answer: impl Fn(&mut TcpStream) -> io::Result<()> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answer = Arc::new(answer);
        let (tell, requests) = channel();
        thread::spawn(move || {
            for connection in listener.incoming() {
                let (answer, tell) = (Arc::clone(&answer), tell.clone());
                let mut connection = connection.unwrap();
                thread::spawn(move || {
                    read_request(&connection);
                    // The test may have ended, and nobody listens or reads.
                    let _told = tell.send(()).is_ok();
                    let _answered = answer(&mut connection).is_ok();
                });
            }
        });
        Self { address, requests }
    }
}

/// Reads a request with its body.
fn read_request(connection: &TcpStream) {
    let mut reader = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        if let Some(text) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = text.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
}

fn bucket(address: SocketAddr, limits: Limits) -> BucketStorage {
    let settings = BucketSettings {
        address: "s3://vault/files".parse().unwrap(),
        endpoint: Some(format!("http://{address}")),
        region: None,
        access_key_id: Some("id".into()),
        secret_access_key: Some("key".into()),
        session_token: None,
        allow_http: false,
    };
    BucketStorage::new(&settings, limits).unwrap()
}

/// Longer than a busy machine stops for.
const LATE: Duration = Duration::from_secs(30);

fn soon() -> Limits {
    let limit = Duration::from_millis(300);
    Limits {
        request: limit,
        upload: limit,
        read: limit,
        silence: LATE,
    }
}

/// For a request that is answered, by a body that may not be.
fn answered() -> Limits {
    Limits {
        request: LATE,
        ..soon()
    }
}

fn id(byte: u8) -> FileId {
    FileId::from_random([byte; 16])
}

fn assert_unavailable<T>(result: Result<T, StorageError>) {
    let error = result.err().unwrap();
    assert!(matches!(error, StorageError::Unavailable { .. }), "{error}");
}

fn assert_all_unavailable(bucket: &BucketStorage) {
    assert_unavailable(bucket.put(id(1), &mut &b"content"[..]));
    assert_unavailable(bucket.open(id(1), 0..7));
    assert_unavailable(bucket.list(None, 9));
    assert_unavailable(bucket.holds(id(1)));
    assert_unavailable(bucket.storage_id());
    assert_unavailable(bucket.probe());
    bucket.discard(id(1));
}

#[test]
fn a_bucket_that_cannot_be_reached_is_unavailable() {
    let address = SocketAddr::from(([127, 0, 0, 1], 1));
    assert_all_unavailable(&bucket(address, soon()));
}

#[test]
fn a_bucket_that_never_answers_is_given_up() {
    let (_keep, ended) = channel::<()>();
    let ended = Mutex::new(ended);
    let stub = Stub::start(move |_| {
        // Until the test has ended.
        let _ended = ended.lock().unwrap().recv().is_err();
        Ok(())
    });
    assert_all_unavailable(&bucket(stub.address, soon()));
}

#[test]
fn a_redirect_is_not_followed() {
    let elsewhere = Stub::start(|connection| {
        connection.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    });
    for status in ["301 Moved", "302 Found", "307 Temporary", "308 Permanent"] {
        let to = elsewhere.address;
        let stub = Stub::start(move |connection| {
            let answer = format!(
                "HTTP/1.1 {status}\r\nLocation: http://{to}/vault/x\r\nContent-Length: 0\r\n\
                 Connection: close\r\n\r\n"
            );
            connection.write_all(answer.as_bytes())
        });
        let bucket = bucket(stub.address, Limits::default());
        assert!(bucket.put(id(1), &mut &b"content"[..]).is_err());
        assert!(bucket.open(id(1), 0..7).is_err());
        assert!(bucket.probe().is_err());
        assert!(stub.requests.try_iter().count() >= 3);
    }
    assert_eq!(elsewhere.requests.try_iter().count(), 0);
}

#[test]
fn a_refused_request_is_repeated_twice() {
    let stub = Stub::start(|connection| {
        connection
            .write_all(b"HTTP/1.1 503 Slow Down\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    });
    let bucket = bucket(stub.address, Limits::default());
    assert_unavailable(bucket.put(id(1), &mut &b"content"[..]));
    assert_eq!(stub.requests.try_iter().count(), 3);
    assert_unavailable(bucket.open(id(1), 0..7));
    assert_eq!(stub.requests.try_iter().count(), 3);
}

#[test]
fn a_body_that_breaks_off_is_an_error() {
    let stub = Stub::start(|connection| {
        connection.write_all(
            b"HTTP/1.1 206 Partial Content\r\nContent-Length: 7\r\n\
              Content-Range: bytes 0-6/7\r\nLast-Modified: Mon, 23 Nov 2026 12:00:00 GMT\r\n\r\n\
              con",
        )
    });
    let limits = Limits {
        read: LATE,
        ..answered()
    };
    let mut content = bucket(stub.address, limits).open(id(1), 0..7).unwrap();
    let mut read = Vec::new();
    assert!(content.read_to_end(&mut read).is_err());
    // Nor is it taken for the end when it is read again.
    assert_eq!(read, b"con");
}

#[test]
fn a_body_that_stops_arriving_is_an_error() {
    let (_keep, ended) = channel::<()>();
    let ended = Mutex::new(ended);
    let stub = Stub::start(move |connection| {
        connection.write_all(
            b"HTTP/1.1 206 Partial Content\r\nContent-Length: 7\r\n\
              Content-Range: bytes 0-6/7\r\nLast-Modified: Mon, 23 Nov 2026 12:00:00 GMT\r\n\r\n\
              con",
        )?;
        let _ended = ended.lock().unwrap().recv().is_err();
        Ok(())
    });
    let mut content = bucket(stub.address, answered()).open(id(1), 0..7).unwrap();
    assert!(content.read_to_end(&mut Vec::new()).is_err());
}

#[test]
fn a_slow_body_is_read_to_its_end() {
    let stub = Stub::start(|connection| {
        connection.write_all(
            b"HTTP/1.1 206 Partial Content\r\nContent-Length: 7\r\n\
              Content-Range: bytes 0-6/7\r\nLast-Modified: Mon, 23 Nov 2026 12:00:00 GMT\r\n\r\n",
        )?;
        for byte in b"content" {
            thread::sleep(Duration::from_millis(10));
            connection.write_all(&[*byte])?;
        }
        Ok(())
    });
    let bucket = bucket(stub.address, Limits::default());
    let mut text = String::new();
    let mut content = bucket.open(id(1), 0..7).unwrap();
    content.read_to_string(&mut text).unwrap();
    assert_eq!(text, "content");
}

#[test]
fn a_full_bucket_is_distinguished_from_an_unavailable_one() {
    let stub = Stub::start(|connection| {
        let body = "<Error><Code>QuotaExceeded</Code></Error>";
        let length = body.len();
        write!(
            connection,
            "HTTP/1.1 403 Forbidden\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
        )
    });
    let bucket = bucket(stub.address, Limits::default());
    let put = bucket.put(id(1), &mut &b"content"[..]);
    assert!(matches!(put, Err(StorageError::Full { .. })));
}

#[test]
fn a_blob_that_is_too_large_to_hold_is_refused() {
    let stub = Stub::start(|_| Ok(()));
    let bucket = bucket(stub.address, Limits::default());
    assert_unavailable(bucket.put(id(1), &mut io::repeat(1).take(BLOB_MAX + 1)));
    assert_eq!(stub.requests.try_iter().count(), 0);
}

/// Or all threads would wait for a bucket that does not answer.
#[test]
fn only_so_many_requests_wait_for_a_bucket() {
    let (end, ended) = channel::<()>();
    let ended = Mutex::new(ended);
    let stub = Stub::start(move |_| {
        let _ended = ended.lock().unwrap().recv().is_err();
        Ok(())
    });
    let limits = Limits {
        silence: Duration::from_millis(50),
        request: Duration::from_secs(60),
        ..Limits::default()
    };
    let bucket = bucket(stub.address, limits);
    thread::scope(|scope| {
        for _ in 0..requests::REQUESTS {
            scope.spawn(|| assert_unavailable(bucket.storage_id()));
        }
        for _ in 0..requests::REQUESTS {
            stub.requests.recv().unwrap();
        }
        let error = bucket.storage_id().unwrap_err();
        let cause = std::error::Error::source(&error).unwrap();
        assert!(cause.to_string().contains("too many"), "{cause}");
        drop(end);
    });
}
