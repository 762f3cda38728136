//! How many connections there may be: as many as are asked for, and as the files that the process may open leave.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Semaphore;

use crate::client::Client;
use crate::descriptors;
use crate::places::{Place, Places};

/// Connections that are told at the same time that there are too many.
const REFUSALS: usize = 64;

/// How long such a connection may take to hear it.
const REFUSAL_TIME: Duration = Duration::from_millis(500);

/// What they hear: the problem `overloaded`, without looking at the request.
const REFUSAL: &[u8] =
    b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/problem+json\r\n\
Content-Length: 158\r\nRetry-After: 1\r\nConnection: close\r\n\r\n\
{\"type\":\"/problems/overloaded\",\"title\":\"The server has too much to do\",\"status\":503,\
\"detail\":\"there are too many connections\",\"kind\":\"overloaded\",\"errors\":[]}";

/// Places of connections.
pub(crate) struct Connections {
    places: Arc<Places>,
    refusals: Arc<Semaphore>,
    most: u64,
}

impl Connections {
    /// At most so many, and no more than the open files of the process leave beside so many open collections.
    pub(crate) fn new(wanted: usize, collections: usize) -> Self {
        let most = descriptors::for_connections(wanted, collections);
        // Whoever comes through a proxy has its address; a quarter is for the others all the same.
        let places = Places::new(most, most - most / 4);
        Self { places, refusals: Arc::new(Semaphore::new(REFUSALS)), most }
    }

    /// The most connections at a time.
    pub(crate) fn most(&self) -> u64 {
        self.most
    }

    /// A place for a connection, if there is one for its address.
    pub(crate) fn place(&self, address: IpAddr) -> Option<Place> {
        self.places.try_take(&Client::Address(address), 1)
    }

    /// Says that there are too many, and hangs up. `is_plain` is whether the client reads HTTP without a handshake.
    pub(crate) fn refuse(&self, mut stream: TcpStream, is_plain: bool) {
        let Ok(permit) = Arc::clone(&self.refusals).try_acquire_owned() else { return };
        if !is_plain {
            return;
        }
        tokio::spawn(async move {
            let _permit = permit;
            let told = async {
                stream.write_all(REFUSAL).await?;
                stream.shutdown().await?;
                // What was sent is taken, or the system would say that the answer was never meant.
                let mut taken = [0; 1024];
                while stream.read(&mut taken).await? > 0 {}
                Ok::<_, std::io::Error>(())
            };
            let _ = tokio::time::timeout(REFUSAL_TIME, told).await;
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_refusal_is_a_whole_answer() {
        let text = std::str::from_utf8(REFUSAL).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        assert!(head.contains(&format!("Content-Length: {}", body.len())), "{}", body.len());
        assert_eq!(serde_json::from_str::<serde_json::Value>(body).unwrap()["status"], 503);
    }

    #[test]
    fn no_address_has_all_connections() {
        let connections = Connections::new(8, 0);
        let [one, other] = [[127, 0, 0, 1], [127, 0, 0, 2]].map(IpAddr::from);
        let held: Vec<_> = (0..6).map(|_| connections.place(one).unwrap()).collect();
        assert!(connections.place(one).is_none());
        assert!(connections.place(other).is_some());
        drop(held);
        assert!(connections.place(one).is_some());
    }
}
