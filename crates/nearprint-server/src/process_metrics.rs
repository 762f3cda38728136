//! Numbers about the process, by the names that Prometheus has for them in all programs. They are read from procfs;
//! where there is none, there are no such numbers.

use crate::descriptors;
use crate::metrics::Sample;

/// The numbers as they are now.
pub(crate) fn samples() -> Vec<Sample> {
    let mut samples = of_stat().unwrap_or_default();
    if let Ok(open) = std::fs::read_dir("/proc/self/fd") {
        // The one by which they are read is among them.
        let open = open.count().saturating_sub(1) as f64;
        samples.push(Sample::gauge("process_open_fds", "Number of open file descriptors.", open));
        if let Some(most) = descriptors::most() {
            let help = "Maximum number of open file descriptors.";
            samples.push(Sample::gauge("process_max_fds", help, most as f64));
        }
    }
    samples
}

#[cfg(target_os = "linux")]
fn of_stat() -> Option<Vec<Sample>> {
    let stat = Stat::parsed(&std::fs::read_to_string("/proc/self/stat").ok()?)?;
    let system = std::fs::read_to_string("/proc/stat").ok()?;
    let boot: f64 = system.lines().find_map(|line| line.strip_prefix("btime "))?.parse().ok()?;
    let ticks = rustix::param::clock_ticks_per_second() as f64;
    let page = rustix::param::page_size() as f64;
    Some(vec![
        Sample::counter(
            "process_cpu_seconds_total",
            "Total user and system CPU time spent in seconds.",
            stat.cpu_ticks / ticks,
        ),
        Sample::gauge(
            "process_resident_memory_bytes",
            "Resident memory size in bytes.",
            stat.resident_pages * page,
        ),
        Sample::gauge(
            "process_virtual_memory_bytes",
            "Virtual memory size in bytes.",
            stat.virtual_bytes,
        ),
        Sample::gauge(
            "process_start_time_seconds",
            "Start time of the process since unix epoch in seconds.",
            boot + stat.start_ticks / ticks,
        ),
        Sample::gauge("process_threads", "Number of threads.", stat.threads),
    ])
}

#[cfg(not(target_os = "linux"))]
fn of_stat() -> Option<Vec<Sample>> {
    None
}

/// What `/proc/self/stat` says.
#[derive(Debug, PartialEq)]
struct Stat {
    cpu_ticks: f64,
    threads: f64,
    start_ticks: f64,
    virtual_bytes: f64,
    resident_pages: f64,
}

impl Stat {
    fn parsed(text: &str) -> Option<Self> {
        // The name of the program is in parentheses and may have any characters.
        let (_, rest) = text.rsplit_once(')')?;
        // The first is the state, which proc(5) counts as the third field.
        let fields: Vec<&str> = rest.split_whitespace().collect();
        let number = |field: usize| fields.get(field - 3)?.parse::<f64>().ok();
        Some(Self {
            cpu_ticks: number(14)? + number(15)?,
            threads: number(20)?,
            start_ticks: number(22)?,
            virtual_bytes: number(23)?,
            resident_pages: number(24)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_stat_are_found_behind_any_name() {
        let text = "7 (a) b) S 1 7 7 0 -1 4194304 100 0 0 0 25 5 0 0 20 0 9 0 777 1000000 250 18446744073709551615";
        let stat = Stat::parsed(text).unwrap();
        let expected = Stat {
            cpu_ticks: 30.0,
            threads: 9.0,
            start_ticks: 777.0,
            virtual_bytes: 1e6,
            resident_pages: 250.0,
        };
        assert_eq!(stat, expected);
        assert_eq!(Stat::parsed("7 (a) S 1"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_them() {
        let samples = samples();
        let value = |name: &str| {
            let found = samples.iter().find(|sample| sample.name == name);
            found.unwrap_or_else(|| panic!("{name}")).values[0].1
        };
        assert!(value("process_resident_memory_bytes") > 1e6);
        assert!(value("process_open_fds") >= 3.0 && value("process_max_fds") >= 64.0);
        let now = crate::clock::now() as f64 / 1000.0;
        let age = now - value("process_start_time_seconds");
        assert!((-5.0..86_400.0).contains(&age), "{age}");
    }
}
