//! The reference of the operations, made from the OpenAPI document.

use std::fmt::Write;

use axum::http::StatusCode;
use axum::response::Response;
use nearprint::report::escaped;
use serde_json::Value;

use crate::access::Access;
use crate::routes::openapi;

use super::capitalised;
use super::html::{Page, Tab};

pub(super) async fn show(access: Access) -> Response {
    let api = serde_json::to_value(openapi()).unwrap_or_default();
    let mut page = Page::new(&access, "Reference", Tab::Reference);
    page.heading("Reference");
    page.push(
        "<p class=\"lead\">All operations for programs. <a href=\"/openapi.json\">The same as OpenAPI 3.1</a>. Whatever \
         goes wrong is answered with a problem of <a href=\"/problems/not-found\">one of these kinds</a> (RFC 9457).</p>\n",
    );
    let none = serde_json::Map::new();
    let paths = api["paths"].as_object().unwrap_or(&none);
    let mut tags: Vec<&str> = Vec::new();
    let operations = || {
        paths.iter().flat_map(|(path, item)| {
            let methods = item.as_object().into_iter().flatten();
            methods.map(move |(method, operation)| (path, method, operation))
        })
    };
    for (.., operation) in operations() {
        let tag = tag(operation);
        if !tags.contains(&tag) {
            tags.push(tag);
        }
    }
    for each in tags {
        page.push(&format!("<h2>{}</h2>\n", escaped(&capitalised(each))));
        for (path, method, operation) in
            operations().filter(|(.., operation)| tag(operation) == each)
        {
            page.push(&described(&api, path, method, operation));
        }
    }
    page.answer(StatusCode::OK)
}

fn tag(operation: &Value) -> &str {
    operation["tags"][0].as_str().unwrap_or("other")
}

fn described(api: &Value, path: &str, method: &str, operation: &Value) -> String {
    let mut html = String::new();
    let text = |value: &Value| escaped(value.as_str().unwrap_or("").trim_end_matches('.'));
    let _ = writeln!(
        html,
        "<details class=\"operation\"><summary><span class=\"method {method}\">{}</span> <code>{}</code> <span \
         class=\"soft\">{}</span></summary>",
        method.to_uppercase(),
        escaped(path),
        text(&operation["summary"])
    );
    if let Some(description) = operation["description"].as_str() {
        let _ = writeln!(html, "<p>{}</p>", escaped(description));
    }
    fields(
        &mut html,
        "Parameters",
        operation["parameters"].as_array().into_iter().flatten().map(|parameter| {
            let place = parameter["in"].as_str().unwrap_or("");
            let name = parameter["name"].as_str().unwrap_or("");
            (
                format!("{name} ({place})"),
                kind(&parameter["schema"]),
                parameter["description"].as_str().unwrap_or(""),
            )
        }),
    );
    let contents = operation["requestBody"]["content"].as_object();
    for (media, content) in contents.into_iter().flatten() {
        let object = resolved(api, &content["schema"]);
        let title = format!("Body: {media}");
        properties(&mut html, &title, object);
    }
    for (status, response) in operation["responses"].as_object().into_iter().flatten() {
        if status == "4XX" || status == "503" {
            continue;
        }
        let media = response["content"].as_object().and_then(|content| content.iter().next());
        let title = match media {
            Some((media, _)) => {
                format!("{status} {}: {media}", response["description"].as_str().unwrap_or(""))
            }
            None => format!("{status} {}", response["description"].as_str().unwrap_or("")),
        };
        properties(
            &mut html,
            &title,
            media.map_or(&Value::Null, |(_, content)| resolved(api, &content["schema"])),
        );
    }
    html.push_str("</details>\n");
    html
}

/// A schema, or the one that it refers to.
fn resolved<'v>(api: &'v Value, schema: &'v Value) -> &'v Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.map_or(schema, |name| &api["components"]["schemas"][name])
}

fn properties(html: &mut String, title: &str, schema: &Value) {
    let all = schema["properties"].as_object();
    let of = all.into_iter().flatten().map(|(name, property)| {
        (name.clone(), kind(property), property["description"].as_str().unwrap_or(""))
    });
    let _ = writeln!(html, "<h3>{}</h3>", escaped(title));
    fields(html, "", of);
}

/// What a value is, in a word.
fn kind(schema: &Value) -> String {
    if let Some(values) = schema["enum"].as_array() {
        let values: Vec<&str> = values.iter().filter_map(Value::as_str).collect();
        return values.join(" | ");
    }
    let named = |value: &Value| value.as_str().map(str::to_owned);
    if let Some(types) = schema["type"].as_array() {
        return types.iter().filter_map(named).collect::<Vec<_>>().join(" or ");
    }
    for all in ["oneOf", "anyOf"] {
        if let Some(all) = schema[all].as_array() {
            return all.iter().map(kind).collect::<Vec<_>>().join(" or ");
        }
    }
    let reference = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    named(&schema["type"]).or_else(|| reference.map(str::to_owned)).unwrap_or_default()
}

fn fields<'v>(
    html: &mut String,
    title: &str,
    fields: impl Iterator<Item = (String, String, &'v str)>,
) {
    let mut fields = fields.peekable();
    if fields.peek().is_none() {
        return;
    }
    if !title.is_empty() {
        let _ = writeln!(html, "<h3>{}</h3>", escaped(title));
    }
    html.push_str("<dl class=\"fields\">\n");
    for (name, kind, description) in fields {
        let _ = writeln!(
            html,
            "<dt><code>{}</code> <span class=\"soft\">{}</span></dt><dd>{}</dd>",
            escaped(&name),
            escaped(&kind),
            escaped(description)
        );
    }
    html.push_str("</dl>\n");
}
