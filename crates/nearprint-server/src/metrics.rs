//! Numbers about the server, in the text format of Prometheus.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Upper bounds of the classes of durations, in seconds.
const SECONDS: [f64; 9] = [0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1.0, 10.0, 60.0];

/// A route, as it is declared, with a method.
type Route = (String, &'static str);

/// What was counted.
#[derive(Default)]
pub(crate) struct Metrics {
    requests: Mutex<BTreeMap<Route, Requests>>,
    problems: Mutex<BTreeMap<&'static str, u64>>,
    pub(crate) refused_connections: AtomicU64,
    pub(crate) connections: AtomicU64,
    pub(crate) under_way: AtomicU64,
}

/// The requests of one route.
#[derive(Default)]
struct Requests {
    statuses: BTreeMap<u16, u64>,
    /// In each class of durations, and beyond the last.
    classes: [u64; SECONDS.len() + 1],
    seconds: f64,
}

impl Metrics {
    /// Counts a request.
    pub(crate) fn count(&self, route: &str, method: &'static str, status: u16, took: Duration) {
        let seconds = took.as_secs_f64();
        let class = SECONDS.partition_point(|&bound| bound < seconds);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let counted = requests.entry((route.to_owned(), method)).or_default();
        *counted.statuses.entry(status).or_default() += 1;
        counted.classes[class] += 1;
        counted.seconds += seconds;
    }

    /// All numbers, and those that are measured now: each with its help, and a value for each set of labels.
    pub(crate) fn text(&self, samples: &[Sample]) -> String {
        let mut out = String::new();
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        head(&mut out, "nearprint_requests_total", "counter", "Requests that were answered.");
        for ((route, method), counted) in &*requests {
            for (status, count) in &counted.statuses {
                let labels = format!("method=\"{method}\",route=\"{route}\",status=\"{status}\"");
                let _ = writeln!(out, "nearprint_requests_total{{{labels}}} {count}");
            }
        }
        let name = "nearprint_request_duration_seconds";
        head(&mut out, name, "histogram", "Time from the head of a request to its answer.");
        for ((route, method), counted) in &*requests {
            let labels = format!("method=\"{method}\",route=\"{route}\"");
            let mut sum = 0;
            let bounds = SECONDS.iter().map(ToString::to_string).chain(["+Inf".to_owned()]);
            for (bound, count) in bounds.zip(counted.classes) {
                sum += count;
                let _ = writeln!(out, "{name}_bucket{{{labels},le=\"{bound}\"}} {sum}");
            }
            let _ = writeln!(out, "{name}_sum{{{labels}}} {}", counted.seconds);
            let _ = writeln!(out, "{name}_count{{{labels}}} {sum}");
        }
        drop(requests);
        let problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        let help = "Requests that were refused or failed, by the kind of their problem.";
        head(&mut out, "nearprint_problems_total", "counter", help);
        for (kind, count) in &*problems {
            let _ = writeln!(out, "nearprint_problems_total{{kind=\"{kind}\"}} {count}");
        }
        drop(problems);
        for sample in samples {
            head(&mut out, sample.name, sample.kind, sample.help);
            for (labels, value) in &sample.values {
                let _ = writeln!(out, "{}{labels} {value}", sample.name);
            }
        }
        out
    }

    /// Counts a request that has a problem.
    pub(crate) fn count_problem(&self, kind: &'static str) {
        let mut problems = self.problems.lock().unwrap_or_else(PoisonError::into_inner);
        *problems.entry(kind).or_default() += 1;
    }
}

/// A number that is measured when it is asked for.
pub(crate) struct Sample {
    pub(crate) name: &'static str,
    /// `gauge`, or `counter` where it only grows.
    kind: &'static str,
    help: &'static str,
    /// Labels in braces, or nothing, and the value.
    pub(crate) values: Vec<(String, f64)>,
}

impl Sample {
    /// One number without labels that grows and shrinks.
    pub(crate) fn gauge(name: &'static str, help: &'static str, value: f64) -> Self {
        Self::labelled(name, help, vec![(String::new(), value)])
    }

    /// Several, by their labels.
    pub(crate) fn labelled(
        name: &'static str,
        help: &'static str,
        values: Vec<(String, f64)>,
    ) -> Self {
        Self { name, kind: "gauge", help, values }
    }

    /// One number without labels that only grows.
    pub(crate) fn counter(name: &'static str, help: &'static str, value: f64) -> Self {
        Self { kind: "counter", ..Self::gauge(name, help, value) }
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

/// Counts something for as long as it lives.
pub(crate) struct GaugeGuard<'c>(&'c AtomicU64);

impl<'c> GaugeGuard<'c> {
    pub(crate) fn new(count: &'c AtomicU64) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for GaugeGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_durations_add_up() {
        let metrics = Metrics::default();
        metrics.count_problem("too-large");
        for milliseconds in [1, 3, 3, 100_000] {
            metrics.count("/v1/x", "GET", 200, Duration::from_millis(milliseconds));
        }
        let text = metrics.text(&[Sample::gauge("nearprint_things", "Things.", 7.0)]);
        for line in [
            "nearprint_requests_total{method=\"GET\",route=\"/v1/x\",status=\"200\"} 4",
            "nearprint_request_duration_seconds_bucket{method=\"GET\",route=\"/v1/x\",le=\"0.001\"} 1",
            "nearprint_request_duration_seconds_bucket{method=\"GET\",route=\"/v1/x\",le=\"0.01\"} 3",
            "nearprint_request_duration_seconds_bucket{method=\"GET\",route=\"/v1/x\",le=\"60\"} 3",
            "nearprint_request_duration_seconds_bucket{method=\"GET\",route=\"/v1/x\",le=\"+Inf\"} 4",
            "nearprint_request_duration_seconds_count{method=\"GET\",route=\"/v1/x\"} 4",
            "nearprint_problems_total{kind=\"too-large\"} 1",
            "nearprint_things 7",
        ] {
            assert!(text.lines().any(|found| found == line), "{line}\n{text}");
        }
    }
}
