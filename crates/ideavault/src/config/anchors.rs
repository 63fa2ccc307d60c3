//! Options of the outsiders that confirm times. Without any, none is contacted.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use ideavault_anchors::adapters::{LogWitness, NodeBlocks, OtsCalendar, Rfc3161Authority};
use ideavault_anchors::bitcoin::Network;
use ideavault_anchors::http::{Endpoint, EndpointError, HttpClient, TIMEOUT, WebClient};
use ideavault_anchors::node::{BitcoinNode, NODE_TIMEOUT};
use ideavault_anchors::recommended;
use ideavault_anchors::rfc3161::Roots;
use ideavault_application::anchoring::Outsider;
use ideavault_domain::evidence::{AnchorKind, AnchorService};
use ideavault_domain::ports::BlockChain;
use ideavault_evidence::cosignature::WitnessKey;

use super::ConfigError;

const ANCHORS: &str = "IDEAVAULT_ANCHORS";
const TSA: &str = "IDEAVAULT_TSA";
const NODE: &str = "IDEAVAULT_BITCOIN_NODE";
const CALENDARS: &str = "IDEAVAULT_OTS_CALENDARS";
const WITNESSES: &str = "IDEAVAULT_WITNESSES";
/// Most outsiders of one kind that are set by address.
const OUTSIDERS_MAX: usize = 8;
/// One calendar alone could keep its promise to itself.
const CALENDARS_MIN: usize = 2;
/// Most bytes of the file with roots.
const ROOTS_MAX: u64 = 1_000_000;

/// Options of the outsiders that confirm times. An empty value counts as absent.
#[derive(Args, Clone, Debug, Default)]
pub struct AnchorOptions {
    /// Public authorities and calendars to ask: none, or those that docs/operations.md names. They
    /// are sent SHA-256 fingerprints of the log of events, nothing else. Others can be set besides.
    #[arg(long, env = ANCHORS, value_enum, default_value_t = AnchorSet::None)]
    pub anchors: AnchorSet,

    /// Time-stamping authorities (RFC 3161), such as https://freetsa.org/tsr. They are sent
    /// fingerprints of the log of events, nothing else.
    #[arg(long, env = TSA, value_delimiter = ',', hide_env_values = true)]
    pub tsa: Vec<String>,

    /// PEM file with the root certificates of these authorities.
    #[arg(long, env = "IDEAVAULT_TSA_ROOTS")]
    pub tsa_roots: Option<String>,

    /// At least two calendars of OpenTimestamps, such as
    /// https://alice.btc.calendar.opentimestamps.org. They are sent SHA-256 fingerprints of the log of
    /// events, nothing else.
    #[arg(long, env = CALENDARS, value_delimiter = ',', hide_env_values = true)]
    pub ots_calendars: Vec<String>,

    /// Witnesses of the log (C2SP tlog-witness), each as KEY@ADDRESS with the witness's verifier
    /// key, such as witness.example.org/w1+1234abcd+BASE64@https://witness.example.org. They are
    /// sent the checkpoints of the log of events, nothing else.
    #[arg(long, env = WITNESSES, value_delimiter = ',', hide_env_values = true)]
    pub witnesses: Vec<String>,

    /// JSON-RPC of your own Bitcoin node, such as http://127.0.0.1:8332. It is asked for the
    /// headers of the blocks that calendars name. Without one, these are not checked.
    #[arg(long, env = NODE, hide_env_values = true)]
    pub bitcoin_node: Option<String>,

    /// The file .cookie of that node, with its name and password, if they are not part of the
    /// address.
    #[arg(long, env = "IDEAVAULT_BITCOIN_COOKIE")]
    pub bitcoin_cookie: Option<PathBuf>,

    /// Network of that node; another one than the main one only in tests.
    #[arg(skip)]
    pub bitcoin_network: Network,
}

/// A set of public outsiders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum AnchorSet {
    /// Nobody.
    #[default]
    None,
    /// Authorities and calendars that docs/operations.md names.
    Recommended,
}

/// The addresses of all outsiders.
struct Contacts {
    /// Of authorities that are set by address.
    authorities: Vec<Endpoint>,
    /// Of recommended authorities.
    recommended: Vec<Endpoint>,
    calendars: Vec<Endpoint>,
    witnesses: Vec<(WitnessKey, Endpoint)>,
}

impl AnchorOptions {
    /// Returns the configured outsiders.
    ///
    /// # Errors
    /// [`ConfigError::Outsider`] and its neighbours, which name the setting, but no address:
    /// that can hold a password.
    pub fn outsiders(&self) -> Result<Vec<Outsider>, ConfigError> {
        let Contacts {
            authorities,
            recommended,
            calendars,
            witnesses,
        } = self.contacts()?;
        let roots = self.roots(!authorities.is_empty())?.map(Arc::new);
        let public_roots = match self.anchors {
            AnchorSet::None => None,
            AnchorSet::Recommended => {
                let roots = Roots::from_pem(recommended::ROOTS);
                Some(Arc::new(roots.map_err(ConfigError::RecommendedRoots)?))
            }
        };
        let authorities: Vec<_> = authorities
            .into_iter()
            .zip(roots.iter().cycle())
            .chain(recommended.into_iter().zip(public_roots.iter().cycle()))
            .collect();
        if authorities.is_empty() && calendars.is_empty() && witnesses.is_empty() {
            return Ok(Vec::new());
        }
        let client: Arc<dyn HttpClient> =
            Arc::new(WebClient::new(TIMEOUT).map_err(ConfigError::OutsideClient)?);
        let authorities = authorities.into_iter().map(|(endpoint, roots)| {
            let client = Arc::clone(&client);
            let authority = Rfc3161Authority::new(endpoint, Arc::clone(roots), client);
            Outsider::Authority(Arc::new(authority))
        });
        let calendars = calendars.into_iter().map(|endpoint| {
            let calendar = OtsCalendar::new(endpoint, Arc::clone(&client));
            Outsider::Calendar(Arc::new(calendar))
        });
        let witnesses = witnesses.into_iter().map(|(key, endpoint)| {
            let witness = LogWitness::new(endpoint, key, Arc::clone(&client));
            Outsider::Witness(Arc::new(witness))
        });
        Ok(authorities.chain(calendars).chain(witnesses).collect())
    }

    /// Returns the node that knows the blocks of Bitcoin.
    ///
    /// # Errors
    /// [`ConfigError::BitcoinNode`] and its neighbours, which name no address.
    pub fn blocks(&self) -> Result<Option<Arc<dyn BlockChain>>, ConfigError> {
        let node = self.node()?;
        Ok(node.map(|node| Arc::new(NodeBlocks::new(node)) as _))
    }

    /// Returns the configured node.
    ///
    /// # Errors
    /// Those of [`AnchorOptions::blocks`].
    pub fn node(&self) -> Result<Option<BitcoinNode>, ConfigError> {
        let cookie = self.bitcoin_cookie.clone();
        let cookie = cookie.filter(|path| !path.as_os_str().is_empty());
        let given = self.bitcoin_node.as_deref().map(str::trim);
        let Some(address) = given.filter(|address| !address.is_empty()) else {
            return match cookie {
                Some(_) => Err(ConfigError::CookieWithoutNode),
                None => Ok(None),
            };
        };
        let endpoint = address.parse().map_err(ConfigError::BitcoinNode)?;
        let client = WebClient::without_proxy(NODE_TIMEOUT).map_err(ConfigError::OutsideClient)?;
        let node = BitcoinNode::new(endpoint, cookie, self.bitcoin_network, Arc::new(client));
        Ok(Some(node))
    }

    /// Returns the addresses of all configured outsiders.
    ///
    /// # Errors
    /// Those of [`AnchorOptions::outsiders`].
    pub fn addresses(&self) -> Result<Vec<Endpoint>, ConfigError> {
        let found = self.contacts()?;
        let witnesses = found.witnesses.into_iter().map(|(_, endpoint)| endpoint);
        Ok(found
            .authorities
            .into_iter()
            .chain(found.recommended)
            .chain(found.calendars)
            .chain(witnesses)
            .collect())
    }

    /// Returns kind and name of all configured outsiders.
    ///
    /// # Errors
    /// Those of [`AnchorOptions::outsiders`].
    pub fn services(&self) -> Result<Vec<AnchorService>, ConfigError> {
        let found = self.contacts()?;
        let of = |kind| move |name| AnchorService { kind, name };
        let authorities = found.authorities.iter().chain(&found.recommended);
        let authorities = authorities.map(Endpoint::host);
        let calendars = found.calendars.iter().map(Endpoint::host);
        let witnesses = found.witnesses.iter().map(|(key, _)| key.name().to_owned());
        Ok(authorities
            .map(of(AnchorKind::Tsa))
            .chain(calendars.map(of(AnchorKind::Ots)))
            .chain(witnesses.map(of(AnchorKind::Witness)))
            .collect())
    }

    /// Returns whom to contact. A recommended host that is set by address as well is contacted as
    /// set: at that address, and with the operator's roots.
    fn contacts(&self) -> Result<Contacts, ConfigError> {
        let authorities = endpoints(TSA, &self.tsa)?;
        let mut calendars = endpoints(CALENDARS, &self.ots_calendars)?;
        let recommended = self.recommended(&recommended::AUTHORITIES, &authorities)?;
        calendars.extend(self.recommended(&recommended::CALENDARS, &calendars)?);
        if (1..CALENDARS_MIN).contains(&calendars.len()) {
            return Err(ConfigError::OneCalendar);
        }
        Ok(Contacts {
            authorities,
            recommended,
            calendars,
            witnesses: witnesses(&self.witnesses)?,
        })
    }

    fn recommended(&self, list: &[&str], set: &[Endpoint]) -> Result<Vec<Endpoint>, ConfigError> {
        if self.anchors == AnchorSet::None {
            return Ok(Vec::new());
        }
        let mut endpoints = endpoints(ANCHORS, list)?;
        endpoints.retain(|endpoint| set.iter().all(|other| other.host() != endpoint.host()));
        Ok(endpoints)
    }

    /// Reads the roots, which have to be given exactly with authorities.
    fn roots(&self, required: bool) -> Result<Option<Roots>, ConfigError> {
        let given = self.tsa_roots.as_deref().map(str::trim);
        let path = match given.filter(|path| !path.is_empty()) {
            Some(path) if required => PathBuf::from(path),
            None if !required => return Ok(None),
            Some(_) => return Err(ConfigError::RootsWithoutTsa),
            None => return Err(ConfigError::TsaWithoutRoots),
        };
        let unreadable = |source| ConfigError::TsaRootsFile {
            path: path.clone(),
            source,
        };
        let size = fs::metadata(&path).map_err(unreadable)?.len();
        if size > ROOTS_MAX {
            return Err(ConfigError::TsaRootsSize(path));
        }
        let pem = fs::read_to_string(&path).map_err(unreadable)?;
        let roots = Roots::from_pem(&pem);
        let roots = roots.map_err(|source| ConfigError::TsaRoots { path, source })?;
        Ok(Some(roots))
    }
}

/// Reads witnesses, which have different names.
fn witnesses(given: &[String]) -> Result<Vec<(WitnessKey, Endpoint)>, ConfigError> {
    let given = given.iter().map(|witness| witness.trim());
    let given: Vec<&str> = given.filter(|witness| !witness.is_empty()).collect();
    let mut witnesses = Vec::new();
    for (number, witness) in (1..).zip(&given) {
        // An address may hold a password, and so another @.
        let parts = witness.find("@http").map(|at| witness.split_at(at));
        let (key, address) = parts.ok_or(ConfigError::WitnessForm(number))?;
        let key = WitnessKey::parse(key);
        let key = key.map_err(|source| ConfigError::WitnessKey { number, source })?;
        let address = address.trim_start_matches('@').parse();
        let endpoint = address.map_err(|source| ConfigError::Outsider {
            setting: WITNESSES,
            number,
            source,
        })?;
        witnesses.push((key, endpoint));
    }
    let names: BTreeSet<&str> = witnesses.iter().map(|(key, _)| key.name()).collect();
    if names.len() < witnesses.len() {
        return Err(ConfigError::WitnessTwice);
    }
    if witnesses.len() > OUTSIDERS_MAX {
        return Err(ConfigError::TooManyOutsiders {
            setting: WITNESSES,
            max: OUTSIDERS_MAX,
        });
    }
    Ok(witnesses)
}

fn endpoints<A: AsRef<str>>(
    setting: &'static str,
    addresses: &[A],
) -> Result<Vec<Endpoint>, ConfigError> {
    let given = addresses.iter().map(|address| address.as_ref().trim());
    let endpoints = given
        .filter(|address| !address.is_empty())
        .enumerate()
        .map(|(index, address)| {
            address
                .parse()
                .map_err(|source: EndpointError| ConfigError::Outsider {
                    setting,
                    number: index + 1,
                    source,
                })
        })
        .collect::<Result<Vec<Endpoint>, _>>()?;
    let hosts: BTreeSet<String> = endpoints.iter().map(Endpoint::host).collect();
    if hosts.len() < endpoints.len() {
        return Err(ConfigError::OutsiderTwice(setting));
    }
    if endpoints.len() > OUTSIDERS_MAX {
        return Err(ConfigError::TooManyOutsiders {
            setting,
            max: OUTSIDERS_MAX,
        });
    }
    Ok(endpoints)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AUTHORITY: &str = "https://tsa.example.org/tsr";
    const WITNESS: &str = "w.example.org/one+8ed6baab+BIqI4910CfGV/VLbLTy6XXLKZwm/HZQSG/N0iAG0D29c";
    const OTHER_WITNESS: &str =
        "w.example.org/two+9a8df815+BIE5dw6ofRdfVqNUZsNMfszLjYqRtO43ol32D1uPybOU";
    const ROOT: &str = include_str!("../../../anchors/src/adapters/root.pem");

    fn options(tsa: &[&str], roots: Option<&str>, calendars: &[&str]) -> AnchorOptions {
        let owned = |list: &[&str]| list.iter().map(ToString::to_string).collect();
        AnchorOptions {
            tsa: owned(tsa),
            tsa_roots: roots.map(str::to_owned),
            ots_calendars: owned(calendars),
            ..AnchorOptions::default()
        }
    }

    fn witnessed(witnesses: &[&str]) -> AnchorOptions {
        AnchorOptions {
            witnesses: witnesses.iter().map(ToString::to_string).collect(),
            ..AnchorOptions::default()
        }
    }

    #[test]
    fn a_witness_has_a_key_and_an_address() {
        let one = format!("{WITNESS}@https://u:hush@w.example.org/log");
        let other = format!("{OTHER_WITNESS}@http://w.example.org");
        let outsiders = witnessed(&[&one, " ", &other]).outsiders();
        assert_eq!(outsiders.unwrap().len(), 2);
        let log_key = WITNESS.replace("+BI", "+AI");
        for wrong in [
            vec![WITNESS.to_owned()],
            vec!["https://u:hush@w.example.org".to_owned()],
            vec![format!("{log_key}@https://w.example.org")],
            vec![format!("{WITNESS}@https://")],
            vec![one.clone(), one.clone()],
        ] {
            let wrong: Vec<&str> = wrong.iter().map(String::as_str).collect();
            let message = witnessed(&wrong).outsiders().err().unwrap().to_string();
            assert!(message.contains("IDEAVAULT_WITNESSES"), "{message}");
            assert!(!message.contains("hush"), "{message}");
        }
    }

    fn node(address: &str, cookie: Option<&str>) -> AnchorOptions {
        AnchorOptions {
            bitcoin_node: Some(address.to_owned()),
            bitcoin_cookie: cookie.map(PathBuf::from),
            ..AnchorOptions::default()
        }
    }

    #[test]
    fn a_node_is_asked_only_if_it_is_set_and_its_cookie_belongs_to_it() {
        assert!(AnchorOptions::default().blocks().unwrap().is_none());
        assert!(node(" ", Some("")).blocks().unwrap().is_none());
        let local = "http://127.0.0.1:8332";
        assert!(node(local, None).blocks().unwrap().is_some());
        assert!(node(local, Some("/b/.cookie")).blocks().unwrap().is_some());
        for (options, setting) in [
            (node("ann:hush@localhost", None), "IDEAVAULT_BITCOIN_NODE"),
            (node("", Some("/b/.cookie")), "IDEAVAULT_BITCOIN_COOKIE"),
        ] {
            let message = options.blocks().err().unwrap().to_string();
            assert!(message.contains(setting), "{message}");
            assert!(!message.contains("hush"), "{message}");
        }
    }

    #[test]
    fn nobody_is_contacted_by_default() {
        for nothing in [
            options(&[], None, &[]),
            options(&[""], Some(" "), &["", " "]),
        ] {
            assert!(nothing.outsiders().unwrap().is_empty());
        }
    }

    #[test]
    fn authorities_need_roots_and_calendars_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let roots = folder.path().join("roots.pem");
        fs::write(&roots, ROOT).unwrap();
        let calendars = ["https://a.example.org", "https://b.example.org"];
        let both = options(&[AUTHORITY], roots.to_str(), &calendars);
        assert_eq!(both.outsiders().unwrap().len(), 3);
        assert_eq!(options(&[], None, &calendars).outsiders().unwrap().len(), 2);
    }

    fn recommended(options: AnchorOptions) -> AnchorOptions {
        AnchorOptions {
            anchors: AnchorSet::Recommended,
            ..options
        }
    }

    fn names(options: &AnchorOptions) -> Vec<String> {
        let services = options.services().unwrap();
        let asked: Vec<_> = options.outsiders().unwrap();
        let asked: Vec<_> = asked.iter().map(Outsider::service).collect();
        assert_eq!(asked, services);
        services.into_iter().map(|service| service.name).collect()
    }

    const PUBLIC: [&str; 5] = [
        "timestamp.digicert.com",
        "timestamp.sectigo.com",
        "alice.btc.calendar.opentimestamps.org",
        "bob.btc.calendar.opentimestamps.org",
        "finney.calendar.eternitywall.com",
    ];

    #[test]
    fn the_recommended_outsiders_need_no_other_setting() {
        let options = recommended(AnchorOptions::default());
        assert_eq!(names(&options), PUBLIC);
        assert_eq!(options.addresses().unwrap().len(), PUBLIC.len());
    }

    #[test]
    fn what_is_set_by_address_comes_besides() {
        let folder = tempfile::tempdir().unwrap();
        let roots = folder.path().join("roots.pem");
        fs::write(&roots, ROOT).unwrap();
        let calendar = ["https://calendar.example.org"];
        let options = recommended(options(&[AUTHORITY], roots.to_str(), &calendar));
        let names = names(&options);
        assert_eq!(names.len(), PUBLIC.len() + 2);
        for name in PUBLIC
            .into_iter()
            .chain(["tsa.example.org", "calendar.example.org"])
        {
            assert!(names.iter().any(|found| found == name), "{name}: {names:?}");
        }
    }

    #[test]
    fn a_recommended_host_that_is_set_by_address_is_asked_as_set() {
        let folder = tempfile::tempdir().unwrap();
        let roots = folder.path().join("roots.pem");
        fs::write(&roots, ROOT).unwrap();
        let authority = "https://timestamp.digicert.com/of/ours";
        let calendar = ["https://bob.btc.calendar.opentimestamps.org/of/ours"];
        let options = recommended(options(&[authority], roots.to_str(), &calendar));
        let contacts = options.contacts().unwrap();
        assert_eq!(contacts.authorities, [authority.parse().unwrap()]);
        assert_eq!(
            contacts.calendars.first(),
            calendar[0].parse().ok().as_ref()
        );
        let mut names = names(&options);
        names.sort_unstable();
        let mut expected = PUBLIC;
        expected.sort_unstable();
        assert_eq!(names, expected);
    }

    #[test]
    fn roots_without_an_authority_that_is_set_by_address_are_refused() {
        let options = recommended(options(&[], Some("roots.pem"), &[]));
        let message = options.outsiders().err().unwrap().to_string();
        assert!(message.contains("IDEAVAULT_TSA_ROOTS"), "{message}");
    }

    #[test]
    fn each_error_names_its_setting_and_no_password() {
        let folder = tempfile::tempdir().unwrap();
        let other = folder.path().join("other.pem");
        fs::write(&other, "no certificate").unwrap();
        let nine: Vec<String> = (0..9).map(|n| format!("https://{n}.example.org")).collect();
        let nine: Vec<&str> = nine.iter().map(String::as_str).collect();
        let twice = ["https://a.example.org/1", "https://a.example.org/2"];
        for (options, setting) in [
            (options(&[AUTHORITY], None, &[]), "IDEAVAULT_TSA_ROOTS"),
            (options(&[], Some("roots.pem"), &[]), "IDEAVAULT_TSA_ROOTS"),
            (
                options(&[AUTHORITY], Some("/no/such/file"), &[]),
                "IDEAVAULT_TSA_ROOTS",
            ),
            (
                options(&[AUTHORITY], other.to_str(), &[]),
                "IDEAVAULT_TSA_ROOTS",
            ),
            (
                options(&["ftp://u:hush@h"], Some("x"), &[]),
                "IDEAVAULT_TSA ",
            ),
            (options(&["hush"], Some("x"), &[]), "IDEAVAULT_TSA "),
            (
                options(&[], None, &["https://a.example.org"]),
                "IDEAVAULT_OTS_CALENDARS",
            ),
            (options(&[], None, &twice), "IDEAVAULT_OTS_CALENDARS"),
            (options(&[], None, &nine), "IDEAVAULT_OTS_CALENDARS"),
        ] {
            let message = match options.outsiders() {
                Ok(_) => panic!("accepted {options:?}"),
                Err(error) => error.to_string(),
            };
            assert!(message.contains(setting), "{message}");
            assert!(!message.contains("hush"), "{message}");
        }
    }
}
