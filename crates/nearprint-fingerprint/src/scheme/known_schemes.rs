//! The custom schemes that this process knows: those that were named, each kept with its id until the process ends.

use std::sync::{Mutex, PoisonError};

use super::custom::{CustomError, CustomScheme, ID_PREFIX, MOST_KNOWN};
use super::declaration::Declaration;
use super::idf::IdfTable;
use super::rules::Family;
use super::stop_lists::{StopList, StopWords};
use crate::base32::base32;
use crate::lookup3;

/// The custom schemes that were named in this process.
static KNOWN: Mutex<Vec<&'static Declaration>> = Mutex::new(Vec::new());

/// The declaration of a custom scheme, kept for as long as the process lives.
pub(super) fn declared(custom: CustomScheme) -> Result<&'static Declaration, CustomError> {
    // A map that a panic interrupted holds whole declarations or none.
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = known.iter().find(|known| known.custom == Some(custom)) {
        return Ok(known);
    }
    if known.len() >= MOST_KNOWN {
        return Err(CustomError::TooMany);
    }
    let idf = match custom.idf {
        None => None,
        Some(digest) => {
            let table = IdfTable::kept(digest).ok_or(CustomError::NoTable { digest })?;
            table.check(&custom).map_err(CustomError::OtherTable)?;
            Some(table)
        }
    };
    let stop_words = match custom.stop {
        Some(StopList::User(digest)) => {
            Some(StopWords::kept(digest).ok_or(CustomError::NoList { digest })?)
        }
        _ => None,
    };
    let text = custom.to_string();
    let digest = lookup3::hash(text.as_bytes()).to_be_bytes();
    let declaration = Box::leak(Box::new(Declaration {
        id: Box::leak(format!("{ID_PREFIX}{}", base32(&digest)).into_boxed_str()),
        name: Box::leak(text.into_boxed_str()),
        features: custom.features,
        weight: custom.weight,
        token_hash: custom.token_hash,
        family: Family::Simhash,
        positions: custom.bits,
        bytes: custom.bits as usize / 8,
        // The similarities of [7.10]: 0.98 and 0.90; the default is as for 64 bits by share.
        close: custom.bits * 2 / 100,
        loose: custom.bits / 10,
        default: custom.bits * 3 / 64,
        short_below: 50,
        custom: Some(custom),
        idf,
        stop_words,
    }));
    known.push(declaration);
    Ok(declaration)
}

/// The custom scheme of this id, if it was named.
pub(super) fn known(id: &str) -> Option<&'static Declaration> {
    let known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known.iter().find(|known| known.id.eq_ignore_ascii_case(id)).copied()
}
