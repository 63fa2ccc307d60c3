//! The chain from an authority's certificate to a configured root (RFC 5280 section 6, without
//! names and policies: certificates that limit these are refused).

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use chrono::{DateTime, Utc};
use thiserror::Error;

use super::certificate::Certificate;
use super::oids;
use super::refusal::Refusal;
use super::signature::SignatureError;

/// Most certificates of a chain.
const LENGTH_MAX: usize = 8;
/// Most signatures that are verified in the search for a chain.
const SIGNATURES_MAX: usize = 32;
/// Most certificates that are trusted: the list of an operating system has some 150.
const ROOTS_MAX: usize = 512;

const BEGIN: &str = "-----BEGIN CERTIFICATE-----";
const END: &str = "-----END CERTIFICATE-----";

/// Why a list of roots is refused.
#[derive(Clone, Copy, Debug, Error, Eq, PartialEq)]
pub enum RootsError {
    /// A certificate cannot be read. The number counts from 1.
    #[error("certificate {0} of the list of roots cannot be read")]
    Certificate(usize),
    /// There is no certificate that issued itself.
    #[error("the list of roots holds no root certificate")]
    Empty,
    /// There are more than 512 certificates.
    #[error("the list of roots holds more than {ROOTS_MAX} certificates")]
    TooMany,
}

/// The certificates that the operator trusts, with those between them and an authority. By
/// default there are none, and nobody vouches for an authority.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    roots: Vec<Certificate>,
    /// Not trusted by themselves: OpenSSL does not either.
    between: Vec<Certificate>,
}

impl Roots {
    /// Reads PEM certificates, one after the other, with any text around them. Those that issued
    /// themselves are trusted; others only help to reach them.
    pub fn from_pem(text: &str) -> Result<Self, RootsError> {
        let mut all = Vec::new();
        let mut rest = text;
        while let Some((_, begun)) = rest.split_once(BEGIN) {
            let number = all.len() + 1;
            if number > ROOTS_MAX {
                return Err(RootsError::TooMany);
            }
            let (body, after) = begun
                .split_once(END)
                .ok_or(RootsError::Certificate(number))?;
            let digits: String = body.split_whitespace().collect();
            let certificate = STANDARD
                .decode(digits)
                .ok()
                .and_then(|der| Certificate::parse(&der))
                .ok_or(RootsError::Certificate(number))?;
            all.push(certificate);
            rest = after;
        }
        let (roots, between): (Vec<_>, Vec<_>) =
            all.into_iter().partition(Certificate::is_self_issued);
        if roots.is_empty() {
            return Err(RootsError::Empty);
        }
        Ok(Self { roots, between })
    }
}

/// Encodes a certificate as PEM (RFC 7468).
#[must_use]
pub fn to_pem(der: &[u8]) -> String {
    let digits = STANDARD.encode(der);
    let mut pem = format!("{BEGIN}\n");
    let mut rest = digits.as_str();
    while !rest.is_empty() {
        let (line, after) = rest.split_at(rest.len().min(64));
        pem.push_str(line);
        pem.push('\n');
        rest = after;
    }
    pem.push_str(END);
    pem.push('\n');
    pem
}

/// Returns the chain from `signer` to a root, both included, as it was valid at `time`.
///
/// # Errors
/// [`Refusal`] of the signer's certificate if that is invalid; [`Refusal::BrokenChain`] with the
/// first reason that the search found; otherwise [`Refusal::NoChain`].
pub(super) fn find<'a>(
    signer: &'a Certificate,
    sent: &'a [Certificate],
    roots: &'a Roots,
    time: DateTime<Utc>,
) -> Result<Vec<&'a Certificate>, Refusal> {
    check_any(signer, time)?;
    if roots.roots.contains(signer) {
        return Ok(vec![signer]);
    }
    let mut search = Search {
        sent,
        roots,
        time,
        signatures_left: SIGNATURES_MAX,
        reason: None,
    };
    let mut chain = vec![signer];
    if search.extend(&mut chain) {
        Ok(chain)
    } else {
        let broken = |reason| Refusal::BrokenChain(Box::new(reason));
        Err(search.reason.map_or(Refusal::NoChain, broken))
    }
}

struct Search<'a> {
    sent: &'a [Certificate],
    roots: &'a Roots,
    time: DateTime<Utc>,
    signatures_left: usize,
    reason: Option<Refusal>,
}

impl<'a> Search<'a> {
    /// Extends the chain to a root; leaves it as it was if there is no way.
    fn extend(&mut self, chain: &mut Vec<&'a Certificate>) -> bool {
        let Some(last) = chain.last().copied() else {
            return false;
        };
        if chain.len() >= LENGTH_MAX {
            return false;
        }
        let trusted = self.roots.roots.iter().map(|found| (found, true));
        let others = self.roots.between.iter().chain(self.sent);
        for (issuer, is_root) in trusted.chain(others.map(|found| (found, false))) {
            if issuer.subject() != last.issuer() || chain.contains(&issuer) {
                continue;
            }
            match self.check_step(last, issuer, chain.len() - 1) {
                Ok(()) => {
                    chain.push(issuer);
                    if is_root || self.extend(chain) {
                        return true;
                    }
                    chain.pop();
                }
                Err(reason) => {
                    self.reason.get_or_insert(reason);
                }
            }
        }
        false
    }

    /// Checks that `issuer` may have issued `issued`, with `between` certificates of issuers
    /// below it, and did.
    fn check_step(
        &mut self,
        issued: &Certificate,
        issuer: &Certificate,
        between: usize,
    ) -> Result<(), Refusal> {
        let Some(left) = self.signatures_left.checked_sub(1) else {
            return Err(Refusal::NoChain);
        };
        self.signatures_left = left;
        issued
            .verify_signature(issuer)
            .map_err(|error| match error {
                SignatureError::Unsupported => Refusal::UnsupportedAlgorithm("a certificate"),
                SignatureError::Wrong => Refusal::CertificateSignature(issued.name()),
            })?;
        check_any(issuer, self.time)?;
        let constraints = issuer.basic_constraints();
        let may_issue = constraints.is_some_and(|found| {
            let path_len = found.path_len_constraint.map_or(usize::MAX, usize::from);
            found.ca && between <= path_len
        });
        let purpose_fits = issuer.purposes().is_none_or(|purposes| {
            let fits = |purpose| [oids::TIME_STAMPING, oids::ANY_PURPOSE].contains(purpose);
            purposes.list.iter().any(fits)
        });
        if !may_issue || !purpose_fits || !issuer.key_usage_is(|usage| usage.key_cert_sign()) {
            return Err(Refusal::NotAnIssuer(issuer.name()));
        }
        Ok(())
    }
}

/// Checks what holds for every certificate of a chain.
fn check_any(certificate: &Certificate, time: DateTime<Utc>) -> Result<(), Refusal> {
    if !certificate.is_valid_at(time) {
        return Err(Refusal::NotValidThen(certificate.name()));
    }
    if certificate.has_unknown_critical_extension() {
        return Err(Refusal::CertificateExtension(certificate.name()));
    }
    Ok(())
}
