use std::convert::Infallible;

use ct_merkle::mem_backed_tree::MemoryBackedTree;
use ct_merkle::{RootHash, digest::Output};
use sha2::Sha256;

use super::tiles::{TilePath, TileReader, tile};
use super::*;
use crate::sha256;

/// Nodes as a table stores them, which counts reads.
#[derive(Default)]
struct Table {
    nodes: Vec<Digest>,
    events: Vec<Digest>,
    calls: usize,
    read: usize,
}

impl NodeReader for Table {
    type Error = Infallible;

    fn nodes(&mut self, positions: &[u64]) -> Result<Vec<Digest>, Infallible> {
        self.calls += 1;
        self.read += positions.len();
        Ok(positions
            .iter()
            .map(|position| self.nodes[usize::try_from(*position).unwrap()])
            .collect())
    }
}

impl TileReader for Table {
    fn events(&mut self, first: u64, count: u64) -> Result<Vec<Digest>, Infallible> {
        let first = usize::try_from(first).unwrap();
        Ok(self.events[first..first + usize::try_from(count).unwrap()].to_vec())
    }
}

impl Table {
    fn size(&self) -> u64 {
        self.events.len() as u64
    }

    fn append(&mut self, count: u64) -> Digest {
        let size = self.size();
        let events: Vec<_> = (size..size + count).map(event).collect();
        let appended = append(size, &events, self).unwrap();
        for (position, node) in appended.nodes {
            assert_eq!(position, self.nodes.len() as u64);
            self.nodes.push(node);
        }
        self.events.extend(events);
        assert_eq!(appended.size, self.size());
        assert_eq!(node_count(appended.size), self.nodes.len() as u64);
        appended.root
    }
}

fn event(index: u64) -> Digest {
    sha256(format!("event {index}").as_bytes())
}

fn other_tree(size: u64) -> MemoryBackedTree<Sha256, [u8; 32]> {
    let mut tree = MemoryBackedTree::new();
    (0..size).for_each(|index| tree.push(event(index)));
    tree
}

fn other_root(root: &Digest, size: u64) -> RootHash<Sha256> {
    RootHash::new(Output::<Sha256>::from(*root), size)
}

fn outputs(proof: &[Digest]) -> Vec<Output<Sha256>> {
    proof
        .iter()
        .map(|hash| Output::<Sha256>::from(*hash))
        .collect()
}

#[test]
fn roots_and_inclusion_proofs_are_those_of_another_implementation() {
    let mut table = Table::default();
    let mut other = MemoryBackedTree::<Sha256, [u8; 32]>::new();
    assert_eq!(root(0, &mut table).unwrap(), EMPTY_ROOT);
    for size in 1..=260 {
        let appended = table.append(1);
        other.push(event(size - 1));
        assert_eq!(appended.as_slice(), other.root().as_bytes().as_slice());
        assert_eq!(root(size, &mut table).unwrap(), appended);
        for index in 0..size {
            let proof = inclusion_proof(index, size, &mut table).unwrap();
            let theirs = other.prove_inclusion(usize::try_from(index).unwrap());
            assert_eq!(proof.concat(), theirs.as_bytes());
            verify_inclusion(&event(index), index, size, &appended, &proof).unwrap();
            other
                .root()
                .verify_inclusion(&event(index), index, &theirs)
                .unwrap();
        }
    }
}

#[test]
fn consistency_proofs_are_those_of_another_implementation() {
    let mut table = Table::default();
    let roots: Vec<_> = (0..130).map(|_| table.append(1)).collect();
    for new in 1..=130_u64 {
        let other = other_tree(new);
        let new_root = roots[usize::try_from(new).unwrap() - 1];
        for old in 1..=new {
            let old_root = roots[usize::try_from(old).unwrap() - 1];
            let proof = consistency_proof(old, new, &mut table).unwrap();
            verify_consistency(old, &old_root, new, &new_root, &proof).unwrap();
            let theirs = other.prove_consistency(usize::try_from(new - old).unwrap());
            if old < new {
                assert_eq!(proof.concat(), theirs.as_bytes());
                other_root(&new_root, new)
                    .verify_consistency(
                        &other_root(&old_root, old),
                        &ct_merkle::ConsistencyProof::from_digests(&outputs(&proof)),
                    )
                    .unwrap();
            } else {
                assert!(proof.is_empty());
            }
        }
    }
}

#[test]
fn a_batch_adds_what_single_appends_add() {
    for first in [0, 1, 2, 3, 7, 8, 63, 64, 65, 100] {
        let mut single = Table::default();
        let mut batched = Table::default();
        (0..first + 300).for_each(|_| {
            single.append(1);
        });
        batched.append(first);
        let root = batched.append(300);
        assert_eq!(batched.nodes, single.nodes);
        assert_eq!(root, super::root(first + 300, &mut single).unwrap());
    }
}

#[test]
fn a_batch_of_a_thousand_reads_one_node_for_each_complete_subtree() {
    let mut table = Table::default();
    table.append(1023);
    (table.calls, table.read) = (0, 0);
    table.append(1000);
    assert_eq!((table.calls, table.read), (1, 10));
}

#[test]
fn an_append_of_nothing_returns_the_same_root() {
    let mut table = Table::default();
    let before = table.append(5);
    assert_eq!(table.append(0), before);
    assert_eq!(Table::default().append(0), EMPTY_ROOT);
}

#[test]
fn a_changed_leaf_place_size_root_or_hash_does_not_verify() {
    let mut table = Table::default();
    let root = table.append(21);
    let proof = inclusion_proof(13, 21, &mut table).unwrap();
    let verify = |event: &Digest, index, size, root: &Digest, proof: &[Digest]| {
        verify_inclusion(event, index, size, root, proof)
    };
    assert_eq!(verify(&event(13), 13, 21, &root, &proof), Ok(()));
    assert_eq!(verify(&event(12), 13, 21, &root, &proof), Err(InvalidProof));
    for index in (0..30).filter(|index| *index != 13) {
        assert_eq!(
            verify(&event(13), index, 21, &root, &proof),
            Err(InvalidProof)
        );
    }
    for size in [0, 13, 33, u64::MAX] {
        assert_eq!(
            verify(&event(13), 13, size, &root, &proof),
            Err(InvalidProof)
        );
    }
    assert_eq!(
        verify(&event(13), 13, 21, &event(0), &proof),
        Err(InvalidProof)
    );
    for place in 0..proof.len() {
        let mut changed = proof.clone();
        changed[place][31] ^= 1;
        assert_eq!(
            verify(&event(13), 13, 21, &root, &changed),
            Err(InvalidProof)
        );
        changed.remove(place);
        assert_eq!(
            verify(&event(13), 13, 21, &root, &changed),
            Err(InvalidProof)
        );
    }
    let mut longer = proof.clone();
    longer.push(event(0));
    assert_eq!(
        verify(&event(13), 13, 21, &root, &longer),
        Err(InvalidProof)
    );
    let endless = vec![event(0); 100_000];
    assert_eq!(
        verify(&event(13), 13, 21, &root, &endless),
        Err(InvalidProof)
    );
}

#[test]
fn a_tree_that_was_rewritten_is_not_consistent_with_the_older_one() {
    let mut table = Table::default();
    let old = table.append(11);
    let new = table.append(14);
    let proof = consistency_proof(11, 25, &mut table).unwrap();
    assert_eq!(verify_consistency(11, &old, 25, &new, &proof), Ok(()));
    let rewritten = append(
        0,
        &(0..25).map(|index| event(index + 100)).collect::<Vec<_>>(),
        &mut Table::default(),
    )
    .unwrap();
    for (old_size, old_root, new_size, new_root) in [
        (11, &old, 25, &rewritten.root),
        (11, &event(1), 25, &new),
        (10, &old, 25, &new),
        (25, &new, 11, &old),
        (0, &old, 25, &new),
        (11, &old, u64::MAX, &new),
    ] {
        assert_eq!(
            verify_consistency(old_size, old_root, new_size, new_root, &proof),
            Err(InvalidProof)
        );
    }
    assert_eq!(verify_consistency(0, &EMPTY_ROOT, 25, &new, &[]), Ok(()));
    assert_eq!(
        verify_consistency(0, &EMPTY_ROOT, 0, &new, &[]),
        Err(InvalidProof)
    );
    assert_eq!(
        verify_consistency(0, &old, 25, &new, &[]),
        Err(InvalidProof)
    );
    assert_eq!(consistency_proof(0, 25, &mut table).unwrap(), [[0; 32]; 0]);
}

#[test]
fn what_a_tree_does_not_have_is_out_of_range() {
    let mut table = Table::default();
    table.append(4);
    for (index, size) in [(4, 4), (0, 0), (0, MAX_SIZE + 1), (u64::MAX, u64::MAX)] {
        let error = inclusion_proof(index, size, &mut table).unwrap_err();
        assert!(matches!(error, TreeError::OutOfRange));
    }
    let error = consistency_proof(5, 4, &mut table).unwrap_err();
    assert!(matches!(error, TreeError::OutOfRange));
    let error = root(u64::MAX, &mut table).unwrap_err();
    assert!(matches!(error, TreeError::OutOfRange));
    let error = append(MAX_SIZE, &[event(0)], &mut table).unwrap_err();
    assert!(matches!(error, TreeError::OutOfRange));
}

#[test]
fn a_reader_that_returns_too_few_nodes_is_an_error() {
    struct Short;
    impl NodeReader for Short {
        type Error = Infallible;
        fn nodes(&mut self, _: &[u64]) -> Result<Vec<Digest>, Infallible> {
            Ok(Vec::new())
        }
    }
    let error = root(3, &mut Short).unwrap_err();
    assert!(matches!(
        error,
        TreeError::WrongCount {
            asked: 2,
            returned: 0
        }
    ));
}

#[test]
fn hashing_along_the_sides_of_a_proof_leads_to_the_root() {
    let mut table = Table::default();
    for size in 1..=70 {
        let root = table.append(1);
        for index in 0..size {
            let proof = inclusion_proof(index, size, &mut table).unwrap();
            let steps = sides(index, size, &proof).unwrap();
            let hash =
                steps
                    .iter()
                    .fold(leaf_hash(&event(index)), |hash, (side, other)| match side {
                        Side::Left => node_hash(other, &hash),
                        Side::Right => node_hash(&hash, other),
                    });
            assert_eq!(hash, root);
            let mut longer = proof.clone();
            longer.push(root);
            assert_eq!(sides(index, size, &longer), Err(InvalidProof));
            if let Some(shorter) = proof.get(1..) {
                assert_eq!(sides(index, size, shorter), Err(InvalidProof));
            }
        }
    }
    assert_eq!(sides(0, 0, &[]), Err(InvalidProof));
}

#[test]
fn tiles_of_a_tree_of_70_000_are_those_that_the_specification_names() {
    let mut table = Table::default();
    table.append(70_000);
    let mut read = |path: &str| {
        let path = TilePath::parse(path).unwrap();
        tile(path, 70_000, &mut table)
    };
    assert_eq!(read("tile/0/272").unwrap().len(), 8192);
    assert_eq!(read("tile/0/273.p/112").unwrap().len(), 112 * 32);
    assert_eq!(read("tile/1/000").unwrap().len(), 8192);
    assert_eq!(read("tile/1/001.p/17").unwrap().len(), 17 * 32);
    assert_eq!(read("tile/2/000.p/1").unwrap().len(), 32);
    for missing in [
        "tile/0/273",
        "tile/0/273.p/113",
        "tile/0/274.p/1",
        "tile/1/001",
        "tile/1/001.p/18",
        "tile/2/000.p/2",
        "tile/3/000.p/1",
        "tile/7/000",
        "tile/63/000.p/1",
        "tile/entries/273",
        "tile/0/x018/x446/x744/x073/x709/x551/615",
    ] {
        let error = read(missing).unwrap_err();
        assert!(matches!(error, TreeError::OutOfRange), "{missing}");
    }
}

#[test]
fn the_tiles_of_a_level_hash_to_those_of_the_next_and_hold_the_leaves() {
    let mut table = Table::default();
    table.append(600);
    let mut read = |path: &str| tile(TilePath::parse(path).unwrap(), 600, &mut table).unwrap();
    let leaves = read("tile/0/001");
    let expected: Vec<u8> = (256..512).flat_map(|i| leaf_hash(&event(i))).collect();
    assert_eq!(leaves, expected);
    let parents = read("tile/1/000.p/2");
    assert_eq!(tlog_tiles::Tile::subtree_hash(&leaves).0, parents[32..]);
    let entries = read("tile/entries/002.p/88");
    assert_eq!(entries.len(), 88 * 34);
    assert_eq!(entries[..2], [0, 32]);
    assert_eq!(entries[2..34], event(512));
    assert_eq!(entries[87 * 34 + 2..], event(599));
}

#[test]
fn only_the_one_spelling_of_a_tile_is_parsed() {
    for good in [
        "tile/0/000",
        "tile/0/x001/000",
        "tile/0/x001/x234/067",
        "tile/63/000.p/255",
        "tile/entries/067.p/1",
        "tile/entries/x001/067",
    ] {
        assert!(TilePath::parse(good).is_some(), "{good}");
    }
    assert!(TilePath::parse("tile/0/000").unwrap().is_full());
    assert!(!TilePath::parse("tile/0/000.p/1").unwrap().is_full());
    for bad in [
        "",
        "tile",
        "tile/",
        "tile/0",
        "tile/0/",
        "/tile/0/000",
        "tile/00/000",
        "tile/64/000",
        "tile/-1/000",
        "tile/+1/000",
        "tile/data/000",
        "tile/8/0/000",
        "tile/0/0",
        "tile/0/00",
        "tile/0/0000",
        "tile/0/x000/001",
        "tile/0/001/002",
        "tile/0/x001",
        "tile/0/x001/",
        "tile/0/xx01/002",
        "tile/0/x1/002",
        "tile/0/+01",
        "tile/0/000.p",
        "tile/0/000.p/",
        "tile/0/000.p/0",
        "tile/0/000.p/01",
        "tile/0/000.p/256",
        "tile/0/000.p/1/",
        "tile/0/000.p/1.p/1",
        "tile/0/000.P/1",
        "tile/0/000/",
        "tile/0/000\n",
        "tile/0/\u{0660}00",
        "tile/0/../000",
        "tile/0/x999/x999/x999/x999/x999/x999/x999/x999/999",
    ] {
        assert!(TilePath::parse(bad).is_none(), "{bad}");
    }
}
