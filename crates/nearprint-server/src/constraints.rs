//! Patterns, ranges and lengths of the OpenAPI document: by the names of parameters and fields, of which each means the
//! same in all operations. What an operation declares itself comes first.

use serde_json::{Map, Value, json};

/// Names of parameters and fields, and what their values are like.
fn of_name(name: &str) -> Value {
    match name {
        "collection" | "alias" | "name" | "snapshot" => {
            json!({"minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9_-]*$"})
        }
        "job" => json!({"minLength": 8, "maxLength": 16, "pattern": "^[0-9a-f]+$"}),
        "id" | "query" => json!({"minLength": 1, "maxLength": 4096}),
        "scheme" => json!({"minLength": 1, "maxLength": 64, "pattern": "^[a-z0-9][a-z0-9-]*$"}),
        "fingerprint" => {
            json!({"minLength": 3, "maxLength": 4096, "pattern": "^[a-z0-9-]+:[a-z2-7]+$"})
        }
        "cursor" | "next_cursor" => {
            json!({"minLength": 1, "maxLength": 5600, "pattern": "^[A-Za-z0-9_-]+$"})
        }
        "from" | "to" => json!({"maxLength": 14, "pattern": "^[0-9]*$"}),
        "Idempotency-Key" => json!({"minLength": 1, "maxLength": 255, "pattern": "^[ -~]+$"}),
        "where" => json!({"minLength": 1, "maxLength": 65_536}),
        "url" => json!({"minLength": 1, "maxLength": 8192}),
        "media_type" | "charset" => json!({"minLength": 1, "maxLength": 255}),
        "similarity" | "estimate" | "changed" => json!({"minimum": 0, "maximum": 1}),
        "status" => json!({"minimum": 100, "maximum": 599}),
        _ => Value::Null,
    }
}

/// The types of values that a keyword is about.
fn is_about(keyword: &str, types: &[&str]) -> bool {
    match keyword {
        "minLength" | "maxLength" | "pattern" => types.contains(&"string"),
        _ => types.contains(&"integer") || types.contains(&"number"),
    }
}

/// The longest value of a parameter of which nothing else is known, in characters.
const USUAL_PARAMETER: u64 = 4096;

/// The longest value of any parameter: several of these fit into the head of a request, which has 32 KiB. What may be
/// longer fits into a body.
const LONGEST_PARAMETER: u64 = 8192;

/// Bounds a parameter of which nothing else is known.
fn bound(schema: &mut Value) {
    let Value::Object(schema) = schema else { return };
    let types = schema.get("type").cloned().unwrap_or_default();
    let is_of = |kind: &str| match &types {
        Value::Array(several) => several.iter().any(|one| one == kind),
        one => one == kind,
    };
    if is_of("string") && !schema.contains_key("enum") {
        let most = schema.entry("maxLength").or_insert(json!(USUAL_PARAMETER));
        if most.as_u64().is_some_and(|length| length > LONGEST_PARAMETER) {
            *most = json!(LONGEST_PARAMETER);
        }
    }
    if is_of("integer") || is_of("number") {
        schema.entry("minimum").or_insert(json!(0));
    }
}

/// Adds what is known of the values of a name to their schema.
fn constrain(name: &str, schema: &mut Value) {
    let (Value::Object(known), Value::Object(schema)) = (of_name(name), schema) else { return };
    let types: Vec<String> = match schema.get("type") {
        Some(Value::String(one)) => vec![one.clone()],
        Some(Value::Array(several)) => {
            several.iter().filter_map(|one| one.as_str().map(str::to_owned)).collect()
        }
        _ => return,
    };
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    // A closed list says more.
    if schema.contains_key("enum") {
        return;
    }
    for (keyword, value) in known {
        if is_about(&keyword, &types) {
            schema.entry(keyword).or_insert(value);
        }
    }
}

/// Adds them to all schemas within a description.
pub(crate) fn add_constraints(description: &mut Value) {
    match description {
        Value::Array(elements) => elements.iter_mut().for_each(add_constraints),
        Value::Object(object) => {
            if let (Some(Value::String(name)), true) =
                (object.get("name").cloned(), object.contains_key("in"))
                && let Some(schema) = object.get_mut("schema")
            {
                constrain(&name, schema);
                bound(schema);
            }
            // A field that is needed has no value of its own, and one that may be left out is none without a word:
            // generators take fields with defaults for ones that are always there.
            if object.get("default").is_some_and(|default| default == "" || default.is_null()) {
                object.remove("default");
            }
            // Without a word on its fields, generators for TypeScript take an object for one that has none.
            let is_object = match object.get("type") {
                Some(Value::Array(several)) => several.iter().any(|one| one == "object"),
                one => one.is_some_and(|one| one == "object"),
            };
            if is_object && !object.contains_key("properties") {
                object.entry("additionalProperties").or_insert(json!(true));
            }
            if let Some(Value::Object(properties)) = object.get_mut("properties") {
                of_properties(properties);
            }
            object.values_mut().for_each(add_constraints);
        }
        _ => {}
    }
}

fn of_properties(properties: &mut Map<String, Value>) {
    for (name, schema) in properties {
        constrain(name, schema);
        if name == "ids"
            && let Some(items) = schema.get_mut("items")
        {
            constrain("id", items);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_described_by_their_names() {
        let mut description = json!({
            "parameters": [
                {"name": "id", "in": "query", "schema": {"type": "string", "maxLength": 7}},
                {"name": "status", "in": "query", "schema": {"type": ["integer", "null"]}},
                {"name": "other", "in": "query", "schema": {"type": "string"}},
                {"name": "where", "in": "query", "schema": {"type": "string"}},
            ],
            "schemas": {"Body": {"properties": {
                "ids": {"type": "array", "items": {"type": "string"}},
                "similarity": {"type": ["number", "null"]},
                "to": {"type": "integer"},
                "url": {"type": "string", "default": ""},
                "text": {"type": ["string", "null"], "default": null},
                "scheme": {"type": "string", "enum": ["md1"]},
                "metadata": {"type": ["object", "null"]},
            }}},
        });
        add_constraints(&mut description);
        let expected = json!({
            "parameters": [
                {"name": "id", "in": "query", "schema": {"type": "string", "minLength": 1, "maxLength": 7}},
                {"name": "status", "in": "query",
                 "schema": {"type": ["integer", "null"], "minimum": 100, "maximum": 599}},
                {"name": "other", "in": "query", "schema": {"type": "string", "maxLength": 4096}},
                {"name": "where", "in": "query", "schema": {"type": "string", "minLength": 1, "maxLength": 8192}},
            ],
            "schemas": {"Body": {"properties": {
                "ids": {"type": "array", "items": {"type": "string", "minLength": 1, "maxLength": 4096}},
                "similarity": {"type": ["number", "null"], "minimum": 0, "maximum": 1},
                "to": {"type": "integer"},
                "url": {"type": "string", "minLength": 1, "maxLength": 8192},
                "text": {"type": ["string", "null"]},
                "scheme": {"type": "string", "enum": ["md1"]},
                "metadata": {"type": ["object", "null"], "additionalProperties": true},
            }}},
        });
        assert_eq!(description, expected);
    }
}
