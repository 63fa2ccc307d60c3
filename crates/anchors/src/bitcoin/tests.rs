use super::mine::encode;
use super::*;

/// The first block of all, known by everybody.
const GENESIS: &str = "0100000000000000000000000000000000000000000000000000000000000000000000003ba3ed\
    fd7a7b12b27ac72c3e67768f617fc81bc3888a51323a9fb8aa4b1e5e4a29ab5f49ffff001d1dac2b7c";

fn root_of_genesis() -> [u8; 32] {
    bytes_of(GENESIS).unwrap()[36..68].try_into().unwrap()
}

#[test]
fn the_first_block_confirms_its_transactions() {
    let header = Header::from_hex(&format!("{GENESIS}\n"), Network::Main).unwrap();
    let time = header.confirm(&root_of_genesis()).unwrap();
    assert_eq!(time.to_rfc3339(), "2009-01-03T18:15:05+00:00");
    assert_eq!(
        header.hash_hex(),
        "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f"
    );
}

#[test]
fn a_root_in_the_order_of_explorers_is_another() {
    let header = Header::from_hex(GENESIS, Network::Main).unwrap();
    let mut reversed = root_of_genesis();
    reversed.reverse();
    assert_eq!(header.confirm(&reversed), Err(HeaderError::OtherBlock));
    assert_eq!(
        header.confirm(&root_of_genesis()[..31]),
        Err(HeaderError::OtherBlock)
    );
    assert_eq!(header.confirm(b""), Err(HeaderError::OtherBlock));
}

#[test]
fn a_changed_header_lacks_its_work() {
    for place in [0, 8, 80, 136, 158] {
        let mut changed = GENESIS.to_owned();
        let digit = if &GENESIS[place..=place] == "7" {
            "6"
        } else {
            "7"
        };
        changed.replace_range(place..=place, digit);
        assert_eq!(
            Header::from_hex(&changed, Network::Main),
            Err(HeaderError::Work)
        );
    }
}

#[test]
fn a_header_of_little_difficulty_is_none_of_the_main_network() {
    let mined = mine::header([0; 32], [7; 32], 1_800_000_000);
    let header = Header::from_hex(&mined, Network::Regtest).unwrap();
    let time = header.confirm(&[7; 32]).unwrap();
    assert_eq!(time.timestamp(), 1_800_000_000);
    assert_eq!(
        Header::from_hex(&mined, Network::Main),
        Err(HeaderError::Difficulty)
    );
    assert!(Header::from_hex(GENESIS, Network::Regtest).is_ok());
}

#[test]
fn difficulties_that_are_no_numbers_are_refused() {
    for bits in [
        0,
        0x1d80_ffff,
        0x2100_ffff,
        0xff00_ffff,
        0x0100_0001,
        0x207f_ffff + 1,
        u32::MAX,
    ] {
        let header = hex::encode(&encode([0; 32], [7; 32], 0, bits, 0));
        let refused = Header::from_hex(&header, Network::Regtest);
        assert_eq!(refused, Err(HeaderError::Difficulty), "{bits:x}");
    }
}

#[test]
fn targets_are_expanded_as_bitcoin_does() {
    for (bits, expected) in [
        (0x1d00_ffff, format!("00000000ffff{}", "0".repeat(52))),
        (0x207f_ffff, format!("7fffff{}", "0".repeat(58))),
        (
            0x1701_2345,
            format!("{}012345{}", "0".repeat(18), "0".repeat(40)),
        ),
        (0x0300_0001, format!("{:0>64}", "1")),
        (0x0100_0001, "none".into()),
        (0x2200_00ff, format!("ff{}", "0".repeat(62))),
        (0x2300_00ff, "none".into()),
    ] {
        let found = target(bits).map_or("none".to_owned(), |target| hex::encode(&target));
        assert_eq!(found, expected, "{bits:x}");
    }
}

#[test]
fn what_is_not_a_header_is_refused() {
    for text in [
        "",
        "00",
        &GENESIS[1..],
        &GENESIS.replace('a', "g"),
        &GENESIS.replace("01", "+1"),
    ] {
        assert_eq!(
            Header::from_hex(text, Network::Main),
            Err(HeaderError::NotAHeader)
        );
    }
}
