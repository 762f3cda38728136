//! Pages for people: made by the server, readable without scripts. Only pages of jobs that run have one, which brings
//! them up to date. What pages show is what the operations answer.

mod additions;
mod addresses;
mod captures;
mod check;
mod collection_forms;
mod collections;
mod compare;
mod document_names;
mod html;
mod jobs;
mod reference;
mod rows;
mod samples;
mod side_by_side;
mod sign_in;
mod timeline;
mod tokens;

use axum::Router;
use axum::http::HeaderValue;
use axum::http::StatusCode;
use axum::http::header::LOCATION;
use axum::response::{IntoResponse, Response};
use nearprint::report::escaped;

use crate::access::{Access, Need};
use crate::address::encoded;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::PathName;
use crate::state::SharedApp;

use html::{Page, Tab};

/// Declares the pages: what is routed, and what each needs.
macro_rules! declare_pages {
    ($($method:ident $need:ident $path:literal $handler:path;)*) => {
        /// Method and address of each page, and what it needs.
        pub(crate) const NEEDS: &[(&str, &str, Need)] =
            &[$((stringify!($method), $path, Need::$need)),*];

        /// The addresses of all pages.
        pub(crate) fn routes() -> Router<SharedApp> {
            Router::new()$(.route($path, axum::routing::$method($handler)))*
        }
    };
}

declare_pages! {
    get READ "/" check::form;
    post READ "/check" check::result;
    get READ "/compare" compare::form;
    post READ "/compare" compare::result;
    get READ "/collections" collections::list;
    post ADMIN "/collections" collection_forms::create;
    post ADMIN "/samples" samples::load;
    get READ "/collections/{collection}" collections::show;
    post WRITE "/collections/{collection}" additions::add;
    get READ "/collections/{collection}/document" collections::document;
    post ADMIN "/collections/{collection}/snapshots" collection_forms::make_snapshot;
    post ADMIN "/collections/{collection}/aliases" collection_forms::set_alias;
    post ADMIN "/collections/{collection}/delete" collection_forms::delete;
    get READ "/collections/{collection}/captures" captures::show;
    get READ "/collections/{collection}/addresses" addresses::show;
    get READ "/jobs" jobs::list;
    post WRITE "/jobs" jobs::start;
    get READ "/jobs/{job}" jobs::show;
    post WRITE "/jobs/{job}/cancel" jobs::cancel;
    get READ "/jobs/{job}/rows" rows::show;
    get ADMIN "/tokens" tokens::list;
    post ADMIN "/tokens" tokens::create;
    post ADMIN "/tokens/{token}/revoke" tokens::revoke;
    get Nothing "/reference" reference::show;
    get Nothing "/problems/{kind}" explanation;
    get Nothing "/sign-in" sign_in::form;
    post Nothing "/sign-in" sign_in::sign_in;
    post Nothing "/sign-out" sign_in::sign_out;
}

/// The page that explains a kind of problem: the `type` of every problem leads to one.
async fn explanation(access: Access, PathName(name): PathName) -> Result<Response, Problem> {
    let kind = ProblemKind::named(&name)
        .ok_or_else(|| Problem::new(ProblemKind::NotFound, "there is no problem of this kind"))?;
    let known = kind.known();
    let mut page = Page::new(&access, known.title, Tab::Reference);
    page.kicker(&format!("Problem {} · status {}", known.name, known.status.as_u16()));
    page.heading(known.title);
    page.push(&format!("<p class=\"lead\">{}</p>\n", escaped(known.explanation)));
    page.push("<h2>All problems</h2>\n<ul class=\"plain\">\n");
    for kind in ProblemKind::ALL {
        let known = kind.known();
        page.push(&format!(
            "<li><a href=\"/problems/{0}\"><code>{0}</code></a> <span class=\"soft\">{1}</span></li>\n",
            known.name,
            escaped(known.title)
        ));
    }
    page.push("</ul>\n");
    Ok(page.answer(StatusCode::OK))
}

/// The page of a request that was not done.
pub(crate) fn problem(access: &Access, problem: &Problem, request_id: &str) -> Response {
    let known = problem.kind.known();
    let mut page = Page::new(access, known.title, Tab::None);
    page.kicker(&format!("Status {}", known.status.as_u16()));
    page.heading(known.title);
    let is_of_form =
        matches!(problem.kind, ProblemKind::InvalidParameter | ProblemKind::MalformedRequest);
    // Pointers, and what the body of a request is, are for programs.
    let said = if is_of_form { problem.said() } else { problem.detail.clone() };
    page.push(&format!("<p class=\"lead\">{}.</p>\n", escaped(&capitalised(&said))));
    if let Some(remedy) = &problem.remedy {
        page.push(&format!("<p>{}.</p>\n", escaped(&capitalised(remedy))));
    }
    page.push(&format!(
        "<p>{}</p>\n<p class=\"soft\">Problem <a href=\"/problems/{1}\"><code>{1}</code></a>, request \
         <code>{2}</code></p>\n<p><a class=\"button\" href=\"/\">Back to the start</a></p>\n",
        match is_of_form {
            true => "Go back in the browser, and change what was entered.".to_owned(),
            false => escaped(known.explanation),
        },
        known.name,
        escaped(request_id)
    ));
    let mut answer = page.answer(known.status);
    problem.add_headers(answer.headers_mut());
    answer
}

/// A text that begins with a capital.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Leads somebody who is not signed in to the page for it, and then back to the page of `address`.
pub(crate) fn to_sign_in(address: &str) -> Response {
    see(&format!("/sign-in?next={}", encoded(address)))
}

/// Leads a browser to another page after a form was sent.
fn see(address: &str) -> Response {
    let mut response = StatusCode::SEE_OTHER.into_response();
    if let Ok(address) = HeaderValue::from_str(address) {
        response.headers_mut().insert(LOCATION, address);
    }
    response
}
