//! How much memory there is for a run, where nobody has said it: so little is left over that the
//! system would end the run before long?
//!
//! Reads what Linux tells in /proc and in the control groups of both versions; elsewhere nothing is
//! known, and nothing is limited.

use std::fs;
use std::path::{Path, PathBuf};

/// The run ends its search when less than this share of what it could have is left, and is ended
/// when even less is.
const NEAR: u64 = 10;
const OVER: u64 = 25;
/// Memory is others' error as long as the run itself takes less than this share.
const SMALL: u64 = 10;
/// As much must be free of a small `ulimit`, whatever its share: the time between two looks is enough
/// to take some.
const MARGIN: u64 = 16 << 20;
/// Heaps of threads take addresses in portions of this size.
const PORTION: u64 = 64 << 20;

/// What was there at the start.
#[derive(Clone, Debug)]
pub struct Room {
    /// Memory that could become resident, this run's included; `None` where it is limited by wish.
    resident: Option<u64>,
    groups: Vec<Group>,
    /// `ulimit -v` and `ulimit -d`.
    addresses: Option<u64>,
    data: Option<u64>,
}

/// How near the end of the room is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pressure {
    None,
    Near,
    Over,
}

impl Room {
    /// `is_limited`: somebody has said how much may be resident.
    pub fn look(is_limited: bool) -> Room {
        let groups = if is_limited { Vec::new() } else { groups() };
        let room = free(&groups).map(|free| free + resident().unwrap_or(0));
        let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
        Room {
            resident: room.filter(|_| !is_limited),
            groups,
            addresses: limit(&limits, "Max address space"),
            data: limit(&limits, "Max data size"),
        }
    }

    pub fn pressure(&self) -> Pressure {
        let by_addresses = self.addresses.zip(status("VmSize:"));
        let by_data = self.data.zip(status("VmData:"));
        let limits = [by_addresses, by_data].into_iter().flatten();
        let limits = limits.map(|(limit, taken)| of_limit(limit, taken));
        limits.chain([self.of_memory()]).max().unwrap_or(Pressure::None)
    }

    fn of_memory(&self) -> Pressure {
        let Some(room) = self.resident else { return Pressure::None };
        let own = resident().unwrap_or(0);
        match free(&self.groups) {
            Some(free) if own >= room / SMALL => judge(free, room / NEAR, room / OVER),
            _ => Pressure::None,
        }
    }

    /// Where addresses are few, holds so many that no thread finds a portion for a heap of its own.
    /// Threads that ask for memory meanwhile share the heap of others for good.
    pub fn crowd(&self) -> Option<Vec<u8>> {
        let limit = self.addresses.filter(|&limit| limit < 16 * PORTION)?;
        let free = limit.checked_sub(status("VmSize:")?)?;
        let mut held = Vec::new();
        held.try_reserve_exact(usize::try_from(free.checked_sub(PORTION / 2)?).ok()?).ok()?;
        Some(held)
    }

    /// Whether so many bytes more would leave enough.
    pub fn has(&self, bytes: u64) -> bool {
        let (size, limit) = (status("VmSize:").unwrap_or(0), self.addresses.unwrap_or(u64::MAX));
        let is_free =
            self.resident.is_none() || free(&self.groups).is_none_or(|free| free >= bytes);
        size.saturating_add(bytes) <= limit && is_free
    }
}

fn judge(free: u64, near: u64, over: u64) -> Pressure {
    match free {
        free if free < over => Pressure::Over,
        free if free < near => Pressure::Near,
        _ => Pressure::None,
    }
}

/// Of a limit on addresses that many are taken. Small things need no more than a few portions at once,
/// and large tables are asked before they grow.
fn of_limit(limit: u64, taken: u64) -> Pressure {
    let free = limit.saturating_sub(taken);
    let share = |part: u64, most: u64, least: u64| (limit / part).min(most).max(least);
    judge(free, share(NEAR, 4 * PORTION, 2 * MARGIN), share(OVER, PORTION, MARGIN))
}

/// How many threads `ulimit -v` has addresses for, with as much for the search as for their heaps.
pub fn most_threads() -> usize {
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let portions = limit(&limits, "Max address space").map(|limit| limit / (2 * PORTION));
    portions.map_or(usize::MAX, |threads| usize::try_from(threads).unwrap_or(usize::MAX).max(1))
}

/// Resident memory in bytes, where the system tells.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// The most memory that was resident at any time, in bytes; 0 where the system does not tell.
pub fn peak() -> u64 {
    status("VmHWM:").unwrap_or(0)
}

/// A line of /proc/self/status. (statm is shorter, but counts pages of unknown size.)
fn status(key: &str) -> Option<u64> {
    kilobytes(&fs::read_to_string("/proc/self/status").ok()?, key)
}

/// `Key:   1234 kB` in bytes.
fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().trim_end_matches("kB").trim_end().parse().ok()?;
    Some(kilobytes << 10)
}

/// `Max address space   1024   unlimited   bytes`: the first is what counts.
fn limit(limits: &str, key: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

/// What the machine and every control group around this process have left.
fn free(groups: &[Group]) -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo").ok();
    let machine = machine.and_then(|text| kilobytes(&text, "MemAvailable:"));
    groups.iter().filter_map(Group::free).chain(machine).min()
}

/// A control group with a limit.
#[derive(Clone, Debug)]
struct Group {
    limit: u64,
    usage: PathBuf,
    stat: PathBuf,
}

impl Group {
    /// Files that are kept in memory for speed go when it is needed.
    fn free(&self) -> Option<u64> {
        let usage: u64 = fs::read_to_string(&self.usage).ok()?.trim().parse().ok()?;
        let stat = fs::read_to_string(&self.stat).unwrap_or_default();
        Some(self.limit.saturating_sub(usage.saturating_sub(cached(&stat))))
    }
}

/// Of version 1 the totals count, which are those of the groups inside as well.
fn cached(stat: &str) -> u64 {
    let value = |key: &str| {
        let line = stat.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' '));
        line.and_then(|number| number.trim().parse::<u64>().ok())
    };
    let both = |a: &str, b: &str| Some(value(a)? + value(b)?);
    both("total_active_file", "total_inactive_file")
        .or(both("active_file", "inactive_file"))
        .unwrap_or(0)
}

/// Those around this process that have a limit.
fn groups() -> Vec<Group> {
    let text = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let mut found = Vec::new();
    for (root, path, names) in text.lines().filter_map(hierarchy) {
        let path = path.trim_start_matches('/');
        // Inside a container the path may be one outside of it; then the root is what there is.
        for folder in Path::new(path).ancestors().map(|above| Path::new(root).join(above)) {
            found.extend(group(&folder, names));
        }
    }
    found
}

/// Where a line of /proc/self/cgroup leads: `0::/path`, or `4:memory:/path` in version 1.
fn hierarchy(line: &str) -> Option<(&'static str, &str, [&'static str; 2])> {
    let mut parts = line.splitn(3, ':');
    let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
    if controllers.split(',').any(|name| name == "memory") {
        return Some((
            "/sys/fs/cgroup/memory",
            path,
            ["memory.limit_in_bytes", "memory.usage_in_bytes"],
        ));
    }
    (number == "0").then_some(("/sys/fs/cgroup", path, ["memory.max", "memory.current"]))
}

fn group(folder: &Path, [limit, usage]: [&str; 2]) -> Option<Group> {
    let limit = fs::read_to_string(folder.join(limit)).ok()?.trim().parse().ok()?;
    Some(Group { limit, usage: folder.join(usage), stat: folder.join("memory.stat") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_tells_is_read() {
        let limits = "Limit    Soft Limit   Hard Limit   Units\n\
                      Max data size             unlimited    unlimited  bytes\n\
                      Max address space         1048576      unlimited  bytes\n";
        assert_eq!(limit(limits, "Max address space"), Some(1 << 20));
        assert_eq!(limit(limits, "Max data size"), None);
        assert_eq!(
            kilobytes("MemFree: 1 kB\nMemAvailable:   20 kB\n", "MemAvailable:"),
            Some(20480)
        );
        assert_eq!(cached("anon 5\nactive_file 7\ninactive_file 8\n"), 15);
        assert_eq!(
            cached(
                "active_file 7\ninactive_file 8\ntotal_active_file 70\ntotal_inactive_file 80\n"
            ),
            150
        );
        assert_eq!(
            hierarchy("0::/a/b").map(|found| (found.0, found.1)),
            Some(("/sys/fs/cgroup", "/a/b"))
        );
        let old = hierarchy("4:cpu,memory:/a:b").map(|found| (found.0, found.1));
        assert_eq!(old, Some(("/sys/fs/cgroup/memory", "/a:b")));
        assert!(hierarchy("3:cpuset:/").is_none());
    }

    #[test]
    fn a_group_has_what_its_limit_leaves_and_its_files_take() {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("memory.max", "1000\n"),
            ("memory.current", "900\n"),
            ("memory.stat", "active_file 100\ninactive_file 200\n"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let names = ["memory.max", "memory.current"];
        assert_eq!(group(folder.path(), names).unwrap().free(), Some(400));
        fs::write(folder.path().join("memory.max"), "max\n").unwrap();
        assert!(group(folder.path(), names).is_none());
    }

    #[test]
    fn pressure_grows_as_less_is_left() {
        assert_eq!(judge(100, 100, 40), Pressure::None);
        assert_eq!(judge(99, 100, 40), Pressure::Near);
        assert_eq!(judge(39, 100, 40), Pressure::Over);
        assert!(Pressure::None < Pressure::Near && Pressure::Near < Pressure::Over);
        let (large, small) = (100 << 30, 200 << 20);
        assert_eq!(of_limit(large, large - (1 << 30)), Pressure::None);
        assert_eq!(of_limit(large, large - 5 * PORTION / 2), Pressure::Near);
        assert_eq!(of_limit(small, small - (19 << 20)), Pressure::Near);
        assert_eq!(of_limit(small, small - (7 << 20)), Pressure::Over);
    }
}
