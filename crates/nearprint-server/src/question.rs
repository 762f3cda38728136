//! Options of a question in requests: interpreted by the library's list, and described from it.

use std::collections::BTreeMap;

use nearprint::fingerprint::Scheme;
use nearprint::{OptionDescription, Options, QuestionError, ValueKind};
use serde_json::{Value, json};
use utoipa::openapi::schema::{ObjectBuilder, Schema, SchemaType, Type};
use utoipa::openapi::{KnownFormat, SchemaFormat};

use crate::problem::Problem;

/// Where the options of a request are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OptionPlace {
    /// Parameters of the address, with `-` between words.
    Address,
    /// Fields of an object.
    Body,
}

impl OptionPlace {
    /// The pointer of an option.
    fn pointer(self, name: &str) -> String {
        match self {
            Self::Address => format!("?{}", name.replace('_', "-")),
            Self::Body => format!("/{name}"),
        }
    }

    /// An option that has no such value, or does not go together with another, as a problem.
    pub(crate) fn refused(self, error: &QuestionError) -> Problem {
        let remedy = error.remedy().map(|option| format!("; set {option}")).unwrap_or_default();
        Problem::invalid(&self.pointer(error.option()), format!("{}{remedy}", error.detail()))
    }

    /// Sets an option of a request. Files of the server are not named by requests.
    fn set<Q: Options>(self, question: &mut Q, name: &str, value: &Value) -> Result<(), Problem> {
        match (name, value) {
            ("scheme", Value::String(named)) => drop(scheme(&self.pointer(name), named)?),
            ("idf", _) => {
                let said = "this is a file, and requests name none of the server's";
                return Err(Problem::invalid(&self.pointer(name), said));
            }
            _ => {}
        }
        question.set(name, value).map_err(|error| self.refused(&error))
    }
}

/// A scheme by its id. Declarations and files are not allowed here: each declared scheme takes memory for ever.
pub(crate) fn scheme(pointer: &str, name: &str) -> Result<Scheme, Problem> {
    if name.starts_with("custom:") {
        return Err(Problem::invalid(pointer, "declared schemes are not available here"));
    }
    name.parse::<Scheme>().map_err(|error| Problem::invalid(pointer, error.to_string()))
}

/// The question that the fields of an object state.
pub(crate) fn of_fields<Q: Options>(fields: &BTreeMap<String, Value>) -> Result<Q, Problem> {
    let mut question = Q::default();
    for (name, value) in fields {
        // Fields of jobs have hyphens between words.
        OptionPlace::Body.set(&mut question, &name.replace('-', "_"), value)?;
    }
    Ok(question)
}

/// Sets the option that a parameter of an address states; false if the question has none of this name.
pub(crate) fn set_parameter<Q: Options>(
    question: &mut Q,
    parameter: &str,
    text: &str,
) -> Result<bool, Problem> {
    let name = parameter.replace('-', "_");
    let Some(option) = Q::OPTIONS.iter().find(|option| option.name == name) else {
        return Ok(false);
    };
    // A flag may stand alone.
    let is_bare = option.kind == ValueKind::Flag && matches!(text, "" | "1");
    let value = match text {
        _ if is_bare => Value::Bool(true),
        "0" if option.kind == ValueKind::Flag => Value::Bool(false),
        text => option.kind.parse(text),
    };
    OptionPlace::Address.set(question, &name, &value)?;
    Ok(true)
}

/// The options that requests may set, with their schemas.
pub(crate) fn schemas<Q: Options>() -> impl Iterator<Item = (&'static OptionDescription, Schema)> {
    let usual = Q::default();
    let options = Q::OPTIONS.iter().filter(|option| option.name != "idf");
    options.map(move |option| (option, schema(option, &usual.value(option.name))))
}

fn schema(option: &OptionDescription, usual: &Value) -> Schema {
    let object = ObjectBuilder::new().description(Some(option.sentence()));
    let object = if usual.is_null() { object } else { object.default(Some(usual.clone())) };
    match option.kind {
        ValueKind::Flag => object.schema_type(SchemaType::new(Type::Boolean)),
        ValueKind::Share => object
            .schema_type(SchemaType::new(Type::Number))
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::Double)))
            .minimum(Some(0.0))
            .maximum(Some(1.0)),
        ValueKind::Whole { .. } => {
            object.schema_type(SchemaType::new(Type::Integer)).minimum(Some(0.0))
        }
        ValueKind::Choice(names) => object
            .schema_type(SchemaType::new(Type::String))
            .enum_values(Some(names.iter().map(|name| json!(name)))),
        // A number, or a name such as none, close or loose.
        _ if option.kind == ValueKind::Bound || option.name == "k" => {
            object.schema_type(SchemaType::from_iter([Type::Integer, Type::String]))
        }
        _ => object.schema_type(SchemaType::new(Type::String)),
    }
    .into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schemes_of_requests_are_those_that_everybody_knows() {
        assert_eq!(scheme("?scheme", "md1").unwrap(), Scheme::MD1);
        for name in ["", "sd9", "custom:words,log,lookup3,32", "Cargo.toml"] {
            assert!(scheme("?scheme", name).is_err(), "{name}");
        }
    }
}
