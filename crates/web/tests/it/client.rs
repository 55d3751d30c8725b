//! Asks the site without a port.

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use tower::ServiceExt;
use web::{Config, Site, app};

/// A site to ask.
pub(crate) struct Client {
    app: Router,
}

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: axum::http::HeaderMap,
    pub(crate) body: String,
}

impl Answer {
    /// Where a redirect leads.
    #[track_caller]
    pub(crate) fn location(&self) -> String {
        assert_eq!(self.status, StatusCode::SEE_OTHER, "{}", self.body);
        self.headers[header::LOCATION].to_str().unwrap().to_string()
    }

    /// The body, if all went well.
    #[track_caller]
    pub(crate) fn ok(self) -> String {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        self.body
    }

    /// The body, if it failed so.
    #[track_caller]
    pub(crate) fn fails(self, status: u16) -> String {
        assert_eq!(self.status.as_u16(), status, "{}", self.body);
        self.body
    }
}

impl Client {
    pub(crate) async fn new() -> Client {
        Client::with(Config::default()).await
    }

    pub(crate) async fn with(config: Config) -> Client {
        Client::of(Arc::new(Site::open(config).await.unwrap()))
    }

    /// A client of a site that is served elsewhere, too.
    pub(crate) fn of(site: Arc<Site>) -> Client {
        Client { app: app(site) }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        let response = self.app.clone().oneshot(request).await.unwrap();
        let (status, headers) = (response.status(), response.headers().clone());
        let bytes = to_bytes(response.into_body(), 1 << 24).await.unwrap();
        let body = String::from_utf8_lossy(&bytes).into_owned();
        Answer {
            status,
            headers,
            body,
        }
    }

    pub(crate) async fn get(&self, address: &str) -> Answer {
        let request = Request::get(address).header(header::HOST, "127.0.0.1:7171");
        self.send(request.body(Body::empty()).unwrap()).await
    }

    pub(crate) async fn post(&self, address: &str, form: &str) -> Answer {
        let request = Request::post(address)
            .header(header::HOST, "127.0.0.1:7171")
            .header(header::ORIGIN, "http://127.0.0.1:7171")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        self.send(request.body(Body::from(form.to_string())).unwrap())
            .await
    }
}
