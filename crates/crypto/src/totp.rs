//! Codes of authenticator apps: RFC 6238 with HMAC-SHA-1 and six digits, the only
//! variant that every app supports. The known attacks on SHA-1 do not affect HMAC.

use hmac::{Hmac, KeyInit, Mac};
use ideavault_domain::code::OneTimeCode;
use ideavault_domain::ports::{PortError, TotpCodes};
use ideavault_domain::two_factor::{Step, TotpSecret};
use sha1::Sha1;

use crate::port_error;

/// [`TotpCodes`] with HMAC-SHA-1.
#[derive(Clone, Copy, Debug, Default)]
pub struct HmacTotp;

impl TotpCodes for HmacTotp {
    fn matches(
        &self,
        secret: &TotpSecret,
        step: Step,
        code: &OneTimeCode,
    ) -> Result<bool, PortError> {
        let typed: u32 = code
            .reveal()
            .parse()
            .map_err(|error| port_error("reading a code", error))?;
        // Comparing two integers takes constant time.
        Ok(typed == number(secret, step)?)
    }
}

/// Computes HOTP (RFC 4226, section 5.3) with the time step as the counter.
fn number(secret: &TotpSecret, step: Step) -> Result<u32, PortError> {
    let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes())
        .map_err(|error| port_error("making a code", error))?;
    mac.update(&step.number().to_be_bytes());
    let hash: [u8; 20] = mac.finalize().into_bytes().into();
    let [.., last] = hash;
    let aad = usize::from(last & 15);
    let word = hash
        .get(aad..aad + 4)
        .and_then(|word| word.try_into().ok())
        .map(u32::from_be_bytes)
        .ok_or_else(|| port_error("making a code", "the hash is too short"))?;
    Ok((word & 0x7fff_ffff) % 1_000_000)
}

#[cfg(test)]
mod tests {
    use ideavault_domain::Timestamp;

    use super::*;

    /// The test vectors of RFC 6238, appendix B, cut to their last six digits.
    #[test]
    fn codes_match_the_vectors_of_the_standard() {
        let secret = TotpSecret::from_random(*b"12345678901234567890");
        for (seconds, digits) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            let step = Step::at(Timestamp::from_timestamp(seconds, 0).unwrap());
            let matches = |digits: &str| {
                let code = OneTimeCode::parse(digits).unwrap();
                HmacTotp.matches(&secret, step, &code).unwrap()
            };
            assert!(matches(digits), "{seconds}");
            assert!(!matches("000000"), "{seconds}");
            let other = TotpSecret::from_random([1; 20]);
            let code = OneTimeCode::parse(digits).unwrap();
            assert!(!HmacTotp.matches(&other, step, &code).unwrap());
        }
    }
}
