//! Programs that are not what they should be: other content in the object store.

use async_nats::jetstream::object_store::ObjectStore;
use cluster::Cluster;
use futures_util::StreamExt as _;

use super::children::{WorkerArgs, coordinate};
use super::machines::{set_reference, status};
use super::played::{against_a_program, run};
use super::server::Server;
use super::strays::spy;
use super::{block_on, check_games, wait_until};

/// The programs in the object store.
async fn programs(server: &Server) -> ObjectStore {
    let jetstream = async_nats::jetstream::new(spy(server).await);
    jetstream.get_object_store("ludex-programs").await.unwrap()
}

/// Replaces every program by something else of the same length.
fn spoil(server: &Server) -> usize {
    block_on(async {
        let store = programs(server).await;
        let mut names = Vec::new();
        let mut list = store.list().await.unwrap();
        while let Some(Ok(info)) = list.next().await {
            names.push((info.name, info.size));
        }
        for (name, size) in &names {
            let content = vec![b'x'; *size];
            let put = store.put(name.as_str(), &mut content.as_slice()).await;
            put.unwrap();
        }
        names.len()
    })
}

/// What is not what its name says is never run, and said; a coordinator that begins puts it right.
#[test]
fn a_wrong_hash_is_found_and_put_right() {
    let Some(server) = Server::start() else {
        return;
    };
    let config = against_a_program(&server);
    let db = server.place("games.db");
    set_reference(&server, 1.0);
    let first = coordinate(&server, &db, &config);
    wait_until("the programs are sent", || {
        let queues = status(&server).queues;
        queues.iter().map(|queue| queue.waiting).sum::<u64>() == 1
    });
    first.kill();
    assert_eq!(spoil(&server), 1);
    let _worker = WorkerArgs::new(&server, "one").spawn();
    // Nobody coordinates: the pair lies there, and is tried.
    let quarantine = || status(&server).quarantine;
    wait_until("the pair is put aside", || quarantine().len() == 1);
    for aside in quarantine() {
        let known = aside.known();
        assert!(
            known.starts_with("begun 3 times without a result"),
            "{known}"
        );
        assert!(known.contains(" has the content of "), "{known}");
    }
    // It stays aside until somebody asks for it.
    let summary = run(&server, &db, &config);
    assert!(!summary.finished);
    assert_eq!(summary.quarantined.len(), 2);
    block_on(async {
        let cluster = Cluster::connect(&server.coordinator()).await.unwrap();
        let released = cluster::retry(cluster.link(), None).await.unwrap();
        assert_eq!(released.len(), 1);
    });
    assert!(run(&server, &db, &config).finished);
    check_games(&db, &config);
}
