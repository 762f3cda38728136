//! Who may use the server: its tokens, a form that makes one, which is shown once, and their end.

use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use nearprint::report::escaped;

use crate::access::Access;
use crate::clock::now;
use crate::form::{Field, fields};
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;
use crate::request::{PathName, WholeBody};
use crate::settings::TokenLimits;
use crate::state::SharedApp;
use crate::tokens::{NewToken, Right, Secret, Token, TokenError};
use crate::work::Lane;

use super::check::FIELDS;
use super::html::{FormState, Page, RefusedForm, Tab, line};
use super::see;

/// Rights that a form offers, with what they allow.
const RIGHTS: [(Right, &str); 4] = [
    (Right::Read, "read: look, ask, fetch results"),
    (Right::Write, "write: read, change documents, run jobs"),
    (Right::Admin, "admin: everything"),
    (Right::Metrics, "metrics: numbers about the server"),
];

/// Days that a form offers, 0 for no end.
const LIFETIMES: [(u64, &str); 4] =
    [(0, "until it is revoked"), (1, "a day"), (30, "30 days"), (365, "a year")];

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Invalid(detail) => Self::invalid("/", detail),
            TokenError::Unknown { .. } => Self::new(ProblemKind::NotFound, error.to_string()),
            TokenError::File { .. } => Self::new(ProblemKind::Storage, error.to_string()),
        }
    }
}

pub(super) async fn list(
    State(app): State<SharedApp>,
    access: Access,
) -> Result<Response, Problem> {
    access.check_whole()?;
    page(&app, access, None, None).await
}

/// The page, with a new token where there is one.
async fn page(
    app: &SharedApp,
    access: Access,
    new: Option<(Token, Secret)>,
    refused: Option<&RefusedForm>,
) -> Result<Response, Problem> {
    let shared = app.clone();
    let tokens = app.work.run(Lane::Read, move || shared.gate.tokens().list()).await??;
    let mut page = Page::new(&access, "Tokens", Tab::Tokens);
    page.heading("Tokens");
    page.push(
        "<p class=\"lead\">Who may use this server, for which collections, and until when. With the first token, \
         every request needs one.</p>\n",
    );
    if let Some((token, secret)) = &new {
        page.push(&format!(
            "<div class=\"card\" role=\"status\">\n<h2>The token of {}</h2>\n<p><code>{}</code></p>\n<p \
             class=\"soft\">Copy it now: it is not kept, and is not shown again.</p>\n</div>\n",
            escaped(&token.name),
            secret.expose()
        ));
    }
    if tokens.is_empty() {
        page.empty(match access {
            Access::Machine => {
                "There is no token: whoever reaches this server may do everything. The first one is for admin and all \
                 collections."
            }
            _ => "There is no token.",
        });
    } else {
        listed(&mut page, &access, &tokens);
    }
    creation(&mut page, refused);
    Ok(page.answer(RefusedForm::status(refused)))
}

fn listed(page: &mut Page, access: &Access, tokens: &[Token]) {
    page.push(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"All tokens\"><table>\n<thead><tr><th>For</th><th>Allows</th><th>Collections</th><th>Expires</th>\
         <th><span class=\"hidden\">Revoke</span></th></tr></thead>\n<tbody>\n",
    );
    for token in tokens {
        let [id, rights, collections, _, expires, _] = token.columns();
        let is_own = access.token().is_some_and(|own| own.id == id);
        let end = match is_own {
            true => "<span class=\"soft\">yours</span>".to_owned(),
            false => format!(
                "<form method=\"post\" action=\"/tokens/{id}/revoke\"><button class=\"small\" \
                 type=\"submit\">Revoke<span class=\"hidden\"> {}</span></button></form>",
                escaped(&token.name)
            ),
        };
        let expires = match token.is_valid(now()) {
            true => expires.split('T').next().unwrap_or_default().to_owned(),
            false => "expired".to_owned(),
        };
        page.push(&format!(
            "<tr><td>{} <small>{id}</small></td><td>{}</td><td>{}</td><td>{expires}</td><td class=\"number\">{end}\
             </td></tr>\n",
            escaped(&token.name),
            rights.replace(',', ", "),
            escaped(&collections.replace(',', ", "))
        ));
    }
    page.push("</tbody>\n</table></div>\n");
}

fn creation(page: &mut Page, refused: Option<&RefusedForm>) {
    let FormState { alert, value, described } = FormState::of(refused, "token", "");
    page.push(&format!(
        "<h2>New token</h2>\n<form class=\"card line\" id=\"token\" method=\"post\" action=\"/tokens\" \
         enctype=\"multipart/form-data\">\n{alert}<p class=\"field\"><label for=\"name\">What it is for</label>\n\
         <input id=\"name\" name=\"name\" required maxlength=\"64\" autocomplete=\"off\" \
         placeholder=\"crawler\"{value}{described}></p>\n<p class=\"field\"><label for=\"right\">What it \
         allows</label>\n<select id=\"right\" name=\"right\">\n"
    ));
    for (right, description) in RIGHTS {
        page.push(&format!("<option value=\"{}\">{description}</option>\n", right.name()));
    }
    page.push(
        "</select></p>\n<p class=\"field\"><label for=\"collections\">Collections <small>(all where it is \
         empty)</small></label>\n<input id=\"collections\" name=\"collections\" maxlength=\"1000\" \
         autocomplete=\"off\" placeholder=\"crawl-*, news\"></p>\n<p class=\"field\"><label for=\"days\">Valid</label>\n<select id=\"days\" \
         name=\"days\">\n",
    );
    for (days, description) in LIFETIMES {
        page.push(&format!("<option value=\"{days}\">{description}</option>\n"));
    }
    page.push("</select></p>\n<p><button type=\"submit\">Make a token</button></p>\n</form>\n");
}

/// What a form asks for.
fn asked(fields: &[Field]) -> Result<NewToken, Problem> {
    let right = line(fields, "right").unwrap_or("").parse::<Right>();
    let days = line(fields, "days").unwrap_or("0").parse::<u64>();
    let days = days.ok().filter(|days| LIFETIMES.iter().any(|(offered, _)| offered == days));
    let days =
        days.ok_or_else(|| Problem::invalid("/days", "this is not a time that is offered"))?;
    let patterns = line(fields, "collections").unwrap_or("").split([',', ' ']);
    Ok(NewToken {
        name: line(fields, "name").unwrap_or("").to_owned(),
        rights: vec![right.map_err(|said| Problem::invalid("/right", said))?],
        collections: patterns.filter(|one| !one.is_empty()).map(str::to_owned).collect(),
        lifetime: (days > 0).then(|| Duration::from_secs(days * 24 * 3600)),
        limits: TokenLimits::default(),
    })
}

/// Makes a token, and shows it.
pub(super) async fn create(
    State(app): State<SharedApp>,
    access: Access,
    headers: HeaderMap,
    request: WholeBody,
) -> Result<Response, Problem> {
    access.check_whole()?;
    let fields = fields(&headers, &request, FIELDS).await?;
    match made(&app, &access, &fields).await {
        Ok(new) => page(&app, access, Some(new), None).await,
        Err(problem) if problem.is_of_input() => {
            let name = line(&fields, "name").unwrap_or("");
            let refused = RefusedForm::new("token", name, problem);
            page(&app, access, None, Some(&refused)).await
        }
        Err(problem) => Err(problem),
    }
}

async fn made(
    app: &SharedApp,
    access: &Access,
    fields: &[Field],
) -> Result<(Token, Secret), Problem> {
    let new = asked(fields)?;
    let is_whole =
        new.rights == [Right::Admin] && new.collections.is_empty() && new.lifetime.is_none();
    if matches!(access, Access::Machine) && !is_whole {
        let said = "the first token is for admin, all collections and without an end: with another one nobody could \
                    make more on these pages";
        return Err(Problem::invalid("/right", said));
    }
    let shared = app.clone();
    Ok(app.work.run(Lane::Write, move || shared.gate.tokens().create(&new)).await??)
}

/// Ends a token: the next request with it is refused.
pub(super) async fn revoke(
    State(app): State<SharedApp>,
    access: Access,
    PathName(id): PathName,
) -> Result<Response, Problem> {
    access.check_whole()?;
    if access.token().is_some_and(|own| own.id == id) {
        let detail = "you are signed in with this token, which another one may revoke";
        return Err(Problem::invalid("/token", detail));
    }
    let shared = app.clone();
    app.work.run(Lane::Write, move || shared.gate.tokens().revoke(&id)).await??;
    Ok(see("/tokens"))
}
