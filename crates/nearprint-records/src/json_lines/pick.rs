//! A few fields out of a line of JSON, without building the rest.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::fields::Pointer;
use crate::row::Field;

/// What an object has at each of the pointers. Where the line is damaged, what was found before.
///
/// Of a name that an object has twice the last counts, as for most readers of JSON.
pub(super) fn pick(
    line: &[u8],
    pointers: &[&Pointer],
) -> (Vec<Field>, Result<(), serde_json::Error>) {
    let mut found = vec![Field::Missing; pointers.len()];
    let wanted =
        pointers.iter().enumerate().map(|(slot, pointer)| (slot, &pointer.0[..])).collect();
    let mut reader = serde_json::Deserializer::from_slice(line);
    let result =
        reader.deserialize_map(Picker { wanted, found: &mut found }).and_then(|()| reader.end());
    (found, result)
}

/// Looks into one value.
struct Picker<'a, 'p> {
    /// Slots, and what is left of their pointers.
    wanted: Vec<(usize, &'p [String])>,
    found: &'a mut [Field],
}

impl Picker<'_, '_> {
    /// Notes the value for the pointers that end here.
    fn note(&mut self, value: impl Fn() -> Field) {
        for (slot, rest) in &self.wanted {
            self.found[*slot] = if rest.is_empty() { value() } else { Field::Missing };
        }
    }
}

/// Those of the pointers that continue by `token`, without it.
fn behind<'p>(wanted: &[(usize, &'p [String])], token: &str) -> Vec<(usize, &'p [String])> {
    let goes_on = |&(slot, rest): &(usize, &'p [String])| {
        rest.split_first().filter(|(first, _)| *first == token).map(|(_, rest)| (slot, rest))
    };
    wanted.iter().filter_map(goes_on).collect()
}

impl<'de> DeserializeSeed<'de> for Picker<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Picker<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_bool<E>(mut self, _: bool) -> Result<(), E> {
        self.note(|| Field::Other("true or false"));
        Ok(())
    }

    fn visit_i64<E>(mut self, number: i64) -> Result<(), E> {
        self.note(|| Field::Text(number.to_string()));
        Ok(())
    }

    fn visit_u64<E>(mut self, number: u64) -> Result<(), E> {
        self.note(|| Field::Text(number.to_string()));
        Ok(())
    }

    fn visit_f64<E>(mut self, number: f64) -> Result<(), E> {
        self.note(|| Field::Real(number));
        Ok(())
    }

    fn visit_str<E>(mut self, text: &str) -> Result<(), E> {
        self.note(|| Field::Text(text.to_owned()));
        Ok(())
    }

    fn visit_unit<E>(mut self) -> Result<(), E> {
        self.note(|| Field::Null);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<(), A::Error> {
        self.note(|| Field::Other("an array"));
        let mut index = 0u64;
        loop {
            let wanted = behind(&self.wanted, &index.to_string());
            let more = if wanted.is_empty() {
                items.next_element::<IgnoredAny>()?.is_some()
            } else {
                items.next_element_seed(Picker { wanted, found: self.found })?.is_some()
            };
            if !more {
                return Ok(());
            }
            index += 1;
        }
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.note(|| Field::Other("an object"));
        while let Some(wanted) = map.next_key_seed(Key(&self.wanted))? {
            if wanted.is_empty() {
                map.next_value::<IgnoredAny>()?;
                continue;
            }
            for (slot, _) in &wanted {
                self.found[*slot] = Field::Begun;
            }
            map.next_value_seed(Picker { wanted, found: self.found })?;
        }
        Ok(())
    }
}

/// The name of a field: which pointers continue by it.
struct Key<'a, 'p>(&'a [(usize, &'p [String])]);

impl<'de, 'p> DeserializeSeed<'de> for Key<'_, 'p> {
    type Value = Vec<(usize, &'p [String])>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, 'p> Visitor<'de> for Key<'_, 'p> {
    type Value = Vec<(usize, &'p [String])>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a field")
    }

    fn visit_str<E>(self, name: &str) -> Result<Self::Value, E> {
        Ok(behind(self.0, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_where_the_pointer_leads() {
        let line = br#"{"a":{"b":[10,{"c":"deep"}],"id":1.5},"text":"first","text":"last","n":null,"a/b":"slash"}"#;
        let text = |text: &str| Field::Text(text.to_owned());
        for (name, expected) in [
            ("text", text("last")),
            ("/a/b/0", text("10")),
            ("/a/b/1/c", text("deep")),
            ("/a/b/2", Field::Missing),
            ("/a/b", Field::Other("an array")),
            ("/a", Field::Other("an object")),
            ("/a/id", Field::Real(1.5)),
            ("/n/x", Field::Missing),
            ("n", Field::Null),
            ("/a~1b", text("slash")),
            ("a/b", text("slash")),
            ("b", Field::Missing),
        ] {
            let pointer = Pointer::new(name).unwrap();
            let (found, result) = pick(line, &[&pointer, &pointer]);
            assert!(result.is_ok());
            assert_eq!(found, [expected.clone(), expected], "{name}");
        }
    }

    #[test]
    fn one_pointer_may_lead_through_anothers_end() {
        let (a, b) = (Pointer::new("/a").unwrap(), Pointer::new("/a/b").unwrap());
        let (found, _) = pick(br#"{"a":{"b":"x"}}"#, &[&a, &b]);
        assert_eq!(found, [Field::Other("an object"), Field::Text("x".to_owned())]);
    }

    #[test]
    fn deep_nesting_is_an_error_and_no_overflow() {
        let line =
            format!("{{\"x\":{}1{},\"text\":\"a\"}}", "[".repeat(100_000), "]".repeat(100_000));
        let text = Pointer::new("text").unwrap();
        // Skipped without recursion, or refused: either is well.
        let _ = pick(line.as_bytes(), &[&text]);
        let x = Pointer::new(&format!("/x{}", "/0".repeat(5000))).unwrap();
        assert!(pick(line.as_bytes(), &[&x]).1.is_err());
    }
}
