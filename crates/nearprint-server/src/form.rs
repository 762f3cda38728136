//! Forms with files (`multipart/form-data`), as browsers send them.

use axum::body::Body;
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;

use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{Media, WholeBody};

/// A field of a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: String,
    /// The name of the file, if it is one.
    pub(crate) file: Option<String>,
    pub(crate) media: Media,
    pub(crate) bytes: Vec<u8>,
}

/// The fields of a form in their order, at most `most`.
pub(crate) async fn fields(
    headers: &HeaderMap,
    body: &WholeBody,
    most: usize,
) -> Result<Vec<Field>, Problem> {
    let malformed = |detail: String| Problem::new(ProblemKind::MalformedRequest, detail);
    let mut request = Request::new(Body::from(body.bytes.clone()));
    if let Some(value) = headers.get(CONTENT_TYPE) {
        request.headers_mut().insert(CONTENT_TYPE, value.clone());
    }
    let mut form = Multipart::from_request(request, &())
        .await
        .map_err(|error| malformed(format!("the body is not a form: {}", error.body_text())))?;
    let mut fields = Vec::new();
    loop {
        let next = form.next_field().await;
        let next = next.map_err(|error| malformed(format!("the form is damaged: {error}")))?;
        let Some(field) = next else { return Ok(fields) };
        if fields.len() == most {
            let detail = format!("the form has more than {most} fields");
            return Err(Problem::new(ProblemKind::TooLarge, detail));
        }
        let (name, file) =
            (field.name().unwrap_or("").to_owned(), field.file_name().map(str::to_owned));
        let media = Media::of(field.headers());
        let bytes = field.bytes().await;
        let bytes = bytes.map_err(|error| malformed(format!("the form is damaged: {error}")))?;
        fields.push(Field { name, file, media, bytes: bytes.into() });
    }
}
