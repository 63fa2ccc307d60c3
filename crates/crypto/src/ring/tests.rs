use ideavault_domain::ids::{MailId, ShareId};

use super::*;

fn master(byte: u8) -> MasterKey {
    MasterKey::from_random([byte; 32])
}

fn ring(bytes: &[u8]) -> KeyRing {
    let keys: Vec<_> = bytes.iter().map(|byte| master(*byte)).collect();
    KeyRing::new(&keys).unwrap()
}

#[test]
fn a_wrapped_key_opens_only_with_its_aad_and_its_master_key() {
    let vault = ring(&[1]);
    let key = vault.new_key().unwrap();
    let wrapped = vault.wrap("idea 1", &key).unwrap();
    let unwrapped = vault.unwrap("idea 1", &wrapped).unwrap();
    assert_eq!(unwrapped.as_bytes(), key.as_bytes());
    assert!(vault.unwrap("idea 2", &wrapped).is_err());
    assert!(ring(&[2]).unwrap("idea 1", &wrapped).is_err());
    let cut = WrappedKey::from_stored(wrapped.as_bytes()[..20].to_vec());
    assert!(vault.unwrap("idea 1", &cut).is_err());
}

#[test]
fn a_cached_key_opens_only_with_its_aad() {
    let vault = ring(&[1]);
    let key = vault.new_key().unwrap();
    let wrapped = vault.wrap("idea 1", &key).unwrap();
    for _ in 0..2 {
        let unwrapped = vault.unwrap("idea 1", &wrapped).unwrap();
        assert_eq!(unwrapped.as_bytes(), key.as_bytes());
        assert!(vault.unwrap("idea 2", &wrapped).is_err());
    }
    let mut changed = wrapped.as_bytes().to_vec();
    changed[40] ^= 1;
    let changed = WrappedKey::from_stored(changed);
    assert!(vault.unwrap("idea 1", &changed).is_err());
}

#[test]
fn former_master_keys_decrypt_and_the_current_one_encrypts() {
    let key = DataKey::from_random([5; 32]);
    let before = ring(&[1]).wrap("idea 1", &key).unwrap();
    let both = ring(&[2, 1]);
    assert!(both.unwrap("idea 1", &before).is_ok());
    let after = both.wrap("idea 1", &key).unwrap();
    assert!(ring(&[2]).unwrap("idea 1", &after).is_ok());
    assert!(ring(&[1]).unwrap("idea 1", &after).is_err());
}

#[test]
fn a_key_from_the_source_is_activated_and_used() {
    let ring = ring(&[1]).with_source(|| vec![master(2), master(1)]);
    let before = ring.wrap("idea 1", &DataKey::from_random([5; 32])).unwrap();
    let id = master(2).id().unwrap();
    ring.activate(id).unwrap();
    assert_eq!(ring.master_key().unwrap(), id);
    let renewed = ring.rewrap(MasterSealed::DataKey("idea 1"), before.as_bytes());
    let renewed = WrappedKey::from_stored(renewed.unwrap());
    assert!(renewed.as_bytes().starts_with(id.as_bytes()));
    assert_eq!(
        ring.unwrap("idea 1", &renewed).unwrap().as_bytes(),
        &[5; 32]
    );
    assert!(ring.activate(master(3).id().unwrap()).is_err());
    assert_eq!(ring.master_key().unwrap(), id);
}

#[test]
fn data_of_another_purpose_or_id_does_not_decrypt() {
    let ring = ring(&[1]);
    let token = |byte| MasterSealed::ShareToken(ShareId::from_random([byte; 16]));
    let sealed = ring.seal_with_master(token(1), b"token").unwrap();
    let opened = |what| ring.open_with_master(what, &sealed);
    assert_eq!(opened(token(1)).unwrap(), b"token");
    assert!(opened(token(2)).is_err());
    let mail = MailId::from_random([1; 16]);
    assert!(opened(MasterSealed::Mail(mail)).is_err());
}

#[test]
fn the_key_of_one_idea_does_not_decrypt_another() {
    let vault = ring(&[1]);
    let (one, two) = (vault.new_key().unwrap(), vault.new_key().unwrap());
    let sealed = vault.seal(&one, "title", b"Umbrella").unwrap();
    assert_eq!(vault.open(&one, "title", &sealed).unwrap(), b"Umbrella");
    assert!(vault.open(&two, "title", &sealed).is_err());
    assert!(vault.open(&one, "content", &sealed).is_err());
}
