//! Optima of small scheduling problems by trying every schedule in which nothing could start
//! sooner without changing an order. Each objective grows with time, so one of these is best.

/// The machine and the duration of each step of a job.
pub type Job = Vec<(usize, i64)>;

/// The least value of any schedule; `value` takes the jobs' completion times and never falls
/// when one of them rises.
pub fn job_shop(jobs: &[Job], value: &dyn Fn(&[i64]) -> i64) -> i64 {
    let machines = 1 + jobs.iter().flatten().map(|&(machine, _)| machine).max().unwrap_or(0);
    let mut shop = Shop {
        jobs,
        value,
        next: vec![0; jobs.len()],
        is_ready: vec![0; jobs.len()],
        is_free: vec![0; machines],
        best: i64::MAX,
    };
    shop.extend();
    shop.best
}

struct Shop<'a> {
    jobs: &'a [Job],
    value: &'a dyn Fn(&[i64]) -> i64,
    /// The next step of each job, when the job is ready for it, and when each machine is free.
    next: Vec<usize>,
    is_ready: Vec<i64>,
    is_free: Vec<i64>,
    best: i64,
}

impl Shop<'_> {
    fn extend(&mut self) {
        // No job ends before it has done all its steps.
        let rest = |j: usize| self.jobs[j][self.next[j]..].iter().map(|step| step.1).sum::<i64>();
        let ends: Vec<i64> = (0..self.jobs.len()).map(|j| self.is_ready[j] + rest(j)).collect();
        let value = (self.value)(&ends);
        if value >= self.best {
            return;
        }
        if (0..self.jobs.len()).all(|j| self.next[j] == self.jobs[j].len()) {
            self.best = value;
        }
        for j in 0..self.jobs.len() {
            let Some(&(machine, duration)) = self.jobs[j].get(self.next[j]) else { continue };
            let before = (self.is_ready[j], self.is_free[machine]);
            let end = before.0.max(before.1) + duration;
            (self.is_ready[j], self.is_free[machine]) = (end, end);
            self.next[j] += 1;
            self.extend();
            self.next[j] -= 1;
            (self.is_ready[j], self.is_free[machine]) = before;
        }
    }
}

/// Tasks with the tasks they need, on processors of their own speed and power.
pub struct Graph {
    pub needs: Vec<Vec<usize>>,
    /// `[processor][task]`
    pub durations: Vec<Vec<i64>>,
    pub busy_power: Vec<i64>,
    pub idle_power: Vec<i64>,
}

impl Graph {
    /// All pairs of length and energy that some schedule has.
    pub fn schedules(&self) -> Vec<(i64, i64)> {
        let mut found = Vec::new();
        let ends = vec![None; self.needs.len()];
        self.extend(&ends, &vec![0; self.durations.len()], 0, &mut found);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// `extra` is the energy that busy processors needed more than idle ones.
    fn extend(&self, ends: &[Option<i64>], free: &[i64], extra: i64, found: &mut Vec<(i64, i64)>) {
        if ends.iter().all(Option::is_some) {
            let length = free.iter().copied().max().unwrap_or(0);
            found.push((length, extra + length * self.idle_power.iter().sum::<i64>()));
        }
        for task in (0..ends.len()).filter(|&task| ends[task].is_none()) {
            let needed: Option<Vec<i64>> = self.needs[task].iter().map(|&n| ends[n]).collect();
            let Some(needed) = needed else { continue };
            for p in 0..free.len() {
                let duration = self.durations[p][task];
                let start = needed.iter().copied().fold(free[p], i64::max);
                let (mut ends, mut free) = (ends.to_vec(), free.to_vec());
                ends[task] = Some(start + duration);
                free[p] = start + duration;
                let power = self.busy_power[p] - self.idle_power[p];
                self.extend(&ends, &free, extra + power * duration, found);
            }
        }
    }
}

/// A plane that may land in a window, and pays by the unit for each side of its target.
pub struct Plane {
    pub earliest: i64,
    pub target: i64,
    pub latest: i64,
    pub rates: [i64; 2],
}

/// The least cost of landing all planes at whole times, each pair on one runway apart by the
/// separation of the first to the second; `None` if they cannot.
pub fn landings(planes: &[Plane], separation: &[Vec<i64>], runways: usize) -> Option<i64> {
    land(planes, separation, runways, &mut Vec::new())
}

/// `landed`: time and runway of the planes so far.
fn land(
    planes: &[Plane],
    separation: &[Vec<i64>],
    runways: usize,
    landed: &mut Vec<(i64, usize)>,
) -> Option<i64> {
    let i = landed.len();
    let Some(plane) = planes.get(i) else { return Some(0) };
    let mut best: Option<i64> = None;
    for (time, runway) in
        (plane.earliest..=plane.latest).flat_map(|t| (0..runways).map(move |r| (t, r)))
    {
        let is_apart = |(j, &(other, on)): (usize, &(i64, usize))| {
            on != runway || time >= other + separation[j][i] || other >= time + separation[i][j]
        };
        if !landed.iter().enumerate().all(is_apart) {
            continue;
        }
        let early = (plane.target - time).max(0) * plane.rates[0];
        let late = (time - plane.target).max(0) * plane.rates[1];
        landed.push((time, runway));
        if let Some(rest) = land(planes, separation, runways, landed) {
            best = Some(best.unwrap_or(i64::MAX).min(early + late + rest));
        }
        landed.pop();
    }
    best
}
