//! The OpenAPI description, from which the frontend's client is generated.

use actix_web::App;
use utoipa::OpenApi as _;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::{ContentBuilder, Ref, ResponseBuilder};
use utoipa_actix_web::{AppExt as _, scope};

use crate::routes;

#[derive(utoipa::OpenApi)]
#[openapi(info(
    title = "IdeaVault",
    description = "Write an idea, fix it in time, disclose it under an NDA.",
    license(name = "MIT OR Apache-2.0"),
))]
struct Description;

/// The description of all routes below `/api`, as it was when this program was compiled. Making it
/// takes longer, and more memory, than all else at the start.
pub const JSON: &str = include_str!("../openapi.json");

/// Makes the OpenAPI document of all routes below `/api`.
#[must_use]
pub fn document() -> utoipa::openapi::OpenApi {
    let mut document = Description::openapi();
    let (_, paths) = App::new()
        .into_utoipa_app()
        .service(scope("/api").configure(routes::described))
        .split_for_parts();
    document.merge(paths);
    for path in document.paths.paths.values_mut() {
        let PathItem {
            get,
            put,
            post,
            delete,
            ..
        } = path;
        for safe in get.iter_mut() {
            add_refusals(safe, &ANY);
        }
        for unsafe_method in [put, post, delete].into_iter().flatten() {
            add_refusals(unsafe_method, &ANY);
            add_refusals(unsafe_method, &UNSAFE);
            if unsafe_method.request_body.is_some() {
                add_refusals(unsafe_method, &WITH_BODY);
            }
        }
    }
    document
}

/// Refusals that any call may respond with (docs/rules.md#statuses).
const ANY: [(&str, &str); 1] = [("503", "Something that the server needs is down")];
/// Refusals of calls that change something.
const UNSAFE: [(&str, &str); 2] = [
    ("403", "Sent by another site"),
    ("507", "No space is left; nothing was saved"),
];
/// Refusals of calls with a body.
const WITH_BODY: [(&str, &str); 3] = [
    ("408", "The body came too slowly"),
    ("413", "The body is too large"),
    ("415", "The body has another media type"),
];

/// Adds the refusals that an operation does not describe itself.
fn add_refusals(operation: &mut Operation, refusals: &[(&str, &str)]) {
    for (status, description) in refusals {
        let responses = &mut operation.responses.responses;
        responses.entry((*status).to_owned()).or_insert_with(|| {
            let body = ContentBuilder::new()
                .schema(Some(Ref::from_schema_name("ErrorBody")))
                .build();
            let refusal = ResponseBuilder::new()
                .description(*description)
                .content("application/json", body);
            refusal.build().into()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::rates::has_limit;

    #[test]
    fn every_property_has_its_serialized_name() {
        let json = serde_json::to_value(document()).unwrap();
        assert_camel_case(&json);
    }

    fn assert_camel_case(schema: &serde_json::Value) {
        if let Some(properties) = schema.get("properties").and_then(|it| it.as_object()) {
            for name in properties.keys() {
                assert!(!name.contains('_'), "{name} is not camelCase");
            }
        }
        match schema {
            serde_json::Value::Object(object) => object.values().for_each(assert_camel_case),
            serde_json::Value::Array(list) => list.iter().for_each(assert_camel_case),
            _ => {}
        }
    }

    #[test]
    fn rate_limited_routes_document_their_refusal() {
        let json = serde_json::to_value(document()).unwrap();
        let mut limited = 0;
        for (path, operations) in json["paths"].as_object().unwrap() {
            for (method, operation) in operations.as_object().unwrap() {
                if has_limit(&method.to_uppercase(), path) {
                    limited += 1;
                    let refusal = &operation["responses"]["429"];
                    assert!(refusal.is_object(), "{method} {path} may answer 429");
                }
            }
        }
        // A route that was renamed in one place only would silently have no limit.
        assert_eq!(limited, 59);
    }

    #[test]
    fn the_committed_description_is_current() {
        let current = document().to_pretty_json().unwrap();
        assert!(
            JSON.trim_end() == current,
            "run `just schema` and commit the result"
        );
    }
}
