//! The results of one run appear together or not at all.
//!
//! 1. The folder is locked, so that runs into one folder take turns. Whatever is called `.takt-…` then
//!    is left from a run that died, and is seen to first.
//! 2. All files are written to a folder of their own inside, `.takt-XXXXXX/new`, with a journal of what
//!    goes where, and flushed to the disk.
//! 3. That folder is renamed to `.takt-journal`. From here on the new results count.
//! 4. The earlier files move to `.takt-journal/old`, the last one first; then the new ones move to their
//!    places in the order given. Files of two runs never stand side by side.
//! 5. The folder is flushed, and `.takt-journal` gets a temporary name again and goes.
//!
//! A run that dies before the third step leaves the earlier results as they were. After it, the next run
//! that opens the folder goes on with the fourth. If a move fails, all of them are undone, if need be by the
//! next run: the list of steps is renamed first, and says so. Signals wait
//! from the third step to the end. Files of other names are never touched.

use super::interrupt::{self, Turn};
use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};
use takt_report::Artifact;

const PREFIX: &str = ".takt-";
const JOURNAL: &str = ".takt-journal";
/// What the list of steps in it is called: to be done, or to be undone.
const DO: &str = "journal";
const UNDO: &str = "undo";
/// How many characters stand behind the prefix of what is temporary.
const RANDOM: usize = 6;
/// Writing takes others this long at the most.
const PATIENCE: Duration = Duration::from_secs(30);
/// How often a folder is made again that somebody takes away at once.
const TRIALS: usize = 100;

/// Nobody else writes to a folder as long as this is there.
#[derive(Debug)]
pub struct Lock {
    /// `None` where the file system knows no locks.
    file: Option<File>,
}

impl Lock {
    /// Waits for its turn, and sees to what others have left.
    pub fn take(folder: &Path) -> io::Result<Lock> {
        let lock = Lock { file: lock(folder)? };
        // Without a lock nobody knows whose turn it is.
        if lock.file.is_some() {
            recover(&lock, folder)?;
        }
        Ok(lock)
    }

    /// What was done is on the disk, where the file system can tell.
    pub fn flush(&self) {
        let _ = self.file.as_ref().map(File::sync_all);
    }
}

fn lock(folder: &Path) -> io::Result<Option<File>> {
    let begun = Instant::now();
    #[cfg(unix)]
    let file = File::open(folder)?;
    #[cfg(not(unix))]
    let Ok(file) = File::open(folder) else { return Ok(None) };
    loop {
        match file.try_lock() {
            Ok(()) if is_at(&file, folder) => return Ok(Some(file)),
            // Another run has taken the folder away meanwhile.
            Ok(()) => return Err(ErrorKind::NotFound.into()),
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => {
                thread::sleep(Duration::from_millis(5));
            }
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other("another takt does not stop writing there"));
            }
            Err(TryLockError::Error(_)) => return Ok(None),
        }
    }
}

/// Whether the folder of this name is still the one that was opened.
#[cfg(unix)]
fn is_at(file: &File, folder: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let number = |data: fs::Metadata| (data.dev(), data.ino());
    let numbers = (file.metadata().map(number), fs::metadata(folder).map(number));
    matches!(numbers, (Ok(opened), Ok(there)) if opened == there)
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// Files to be put in their places in this order, and others to be taken away.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    pub put: &'a [Artifact],
    pub away: &'a [&'a str],
}

/// Makes the folder if need be, and changes it.
pub fn publish(folder: &Path, change: Change) -> io::Result<()> {
    let made = Made::new(folder);
    let (lock, stage) = enter(folder).inspect_err(|_| made.remove())?;
    let written = stage
        .write(&change)
        .and_then(|files| stage.flush(files))
        .and_then(|()| commit(&lock, folder, stage));
    if written.is_err() {
        made.remove();
    }
    drop(lock);
    written
}

/// Tries whether so many bytes could be published there; leaves nothing behind.
pub fn rehearse(folder: &Path, names: &[&str], bytes: usize) -> io::Result<()> {
    let made = Made::new(folder);
    let entered = enter(folder);
    let (lock, stage) = entered.inspect_err(|_| made.remove())?;
    let tried = match names.iter().find(|name| folder.join(name).is_dir()) {
        None if folder.join(JOURNAL).exists() => {
            Err(io::Error::other(format!("an earlier run has left `{JOURNAL}` in it, unfinished")))
        }
        Some(name) => Err(io::Error::other(format!("`{name}` in it is a directory"))),
        None => {
            let trial = Artifact::new("trial", "trial", vec![b' '; bytes]);
            stage.write(&Change { put: &[trial], away: &[] }).map(drop)
        }
    };
    drop(stage);
    made.remove();
    drop(lock);
    tried
}

/// The folder, made if need be, with a lock and a stage in it.
fn enter(folder: &Path) -> io::Result<(Lock, Stage)> {
    refuse_dangling(folder)?;
    let mut trial = 0;
    loop {
        trial += 1;
        let entered = fs::create_dir_all(folder)
            .and_then(|()| Lock::take(folder))
            .and_then(|lock| Ok((lock, Stage::new(folder)?)));
        match entered {
            // Another run has tried the folder and taken it away again.
            Err(error) if error.kind() == ErrorKind::NotFound && trial < TRIALS => {}
            entered => return entered,
        }
    }
}

/// A link to nowhere is neither there nor can it be made.
fn refuse_dangling(path: &Path) -> io::Result<()> {
    let is_dangling = |path: &&Path| path.is_symlink() && !path.exists();
    match path.ancestors().find(is_dangling) {
        Some(link) => {
            let why = format!("`{}` is a link to a place that does not exist", link.display());
            Err(io::Error::other(why))
        }
        None => Ok(()),
    }
}

/// The folders that have to be made, the innermost first.
struct Made<'a>(Vec<&'a Path>);

impl Made<'_> {
    fn new(folder: &Path) -> Made<'_> {
        let is_new = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        Made(folder.ancestors().take_while(is_new).collect())
    }

    /// Takes away those that are empty.
    fn remove(&self) {
        for path in &self.0 {
            if fs::remove_dir(path).is_err() {
                return;
            }
        }
    }
}

/// New files on their way; gone again unless they are committed.
struct Stage {
    path: PathBuf,
}

impl Stage {
    fn new(folder: &Path) -> io::Result<Stage> {
        let mut turn = interrupt::turn();
        let path = builder().tempdir_in(folder)?.keep();
        turn.begin(&path);
        Ok(Stage { path })
    }

    fn write(&self, change: &Change) -> io::Result<Vec<File>> {
        let new = self.path.join("new");
        {
            let _turn = interrupt::turn();
            fs::create_dir(&new)?;
            fs::create_dir(self.path.join("old"))?;
        }
        let mut files = Vec::new();
        for Artifact { file, bytes, .. } in change.put {
            files.push(write(&new.join(file), bytes)?);
        }
        files.push(write(&self.path.join(DO), journal(change).as_bytes())?);
        Ok(files)
    }

    /// All are on their way to the disk before the first is waited for.
    fn flush(&self, files: Vec<File>) -> io::Result<()> {
        for file in files {
            let _turn = interrupt::turn();
            file.sync_all()?;
        }
        flush(&self.path.join("new"));
        flush(&self.path);
        Ok(())
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let mut turn = interrupt::turn();
        turn.done();
        let _ = fs::remove_dir_all(&self.path);
    }
}

fn write(path: &Path, bytes: &[u8]) -> io::Result<File> {
    let _turn = interrupt::turn();
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    Ok(file)
}

/// Not every file system flushes folders.
fn flush(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

fn commit(lock: &Lock, folder: &Path, stage: Stage) -> io::Result<()> {
    let journal = folder.join(JOURNAL);
    let _turn: Turn = {
        let mut turn = interrupt::turn();
        fs::rename(&stage.path, &journal)?;
        turn.done();
        turn
    };
    // There is nothing left that it could take away.
    std::mem::forget(stage);
    lock.flush();
    finish(lock, folder, &journal)
}

/// Does what the journal says, or undoes it. What can be neither done nor undone stays for the next run.
fn finish(lock: &Lock, folder: &Path, journal: &Path) -> io::Result<()> {
    let moved = match read(&journal.join(DO)) {
        Ok(steps) => forward(folder, journal, &steps),
        Err(error) => Err(error),
    };
    if moved.is_err() {
        // Whoever goes on from here undoes as well. A journal of neither name was on its way out.
        let _ = fs::rename(journal.join(DO), journal.join(UNDO));
        if let Ok(steps) = read(&journal.join(UNDO))
            && let Err(error) = back(folder, journal, &steps)
        {
            return Err(error);
        }
    }
    lock.flush();
    discard(folder, journal);
    moved
}

/// A journal that is half gone must not be read again: it loses its name first. One that stays for
/// any reason has nothing left to do.
fn discard(folder: &Path, journal: &Path) {
    let renamed = builder().tempdir_in(folder).and_then(|empty| {
        let renamed = fs::rename(journal, empty.path());
        renamed.map(|()| empty.keep())
    });
    let _ = fs::remove_dir_all(renamed.as_deref().unwrap_or(journal));
}

/// One line of the journal.
#[derive(Clone, Debug, PartialEq, Eq)]
enum JournalEntry {
    Put(String),
    Away(String),
}

impl JournalEntry {
    fn name(&self) -> &str {
        match self {
            JournalEntry::Put(name) | JournalEntry::Away(name) => name,
        }
    }
}

fn journal(change: &Change) -> String {
    let put = change.put.iter().map(|one| format!("+{}\n", one.file));
    put.chain(change.away.iter().map(|name| format!("-{name}\n"))).collect()
}

fn read(journal: &Path) -> io::Result<Vec<JournalEntry>> {
    let text = fs::read_to_string(journal)?;
    let steps: Option<Vec<JournalEntry>> = text.lines().map(step).collect();
    steps.ok_or_else(|| io::Error::other(format!("`{}` is damaged", journal.display())))
}

/// Names lead nowhere but into the folder.
fn step(line: &str) -> Option<JournalEntry> {
    let name = line.get(1..).filter(|name| !name.is_empty())?;
    if Path::new(name).file_name()? != name {
        return None;
    }
    match line.as_bytes()[0] {
        b'+' => Some(JournalEntry::Put(name.to_owned())),
        b'-' => Some(JournalEntry::Away(name.to_owned())),
        _ => None,
    }
}

/// May be done again after it was cut short: what is no longer among the new files is in its place.
fn forward(folder: &Path, journal: &Path, steps: &[JournalEntry]) -> io::Result<()> {
    let (new, old) = (journal.join("new"), journal.join("old"));
    for step in steps.iter().rev() {
        let is_waiting = match step {
            JournalEntry::Put(name) => is_there(&new.join(name)),
            JournalEntry::Away(_) => true,
        };
        let place = folder.join(step.name());
        if is_waiting && is_there(&place) {
            put_aside(&place, &old.join(step.name()))?;
        }
    }
    for step in steps {
        let (from, place) = (new.join(step.name()), folder.join(step.name()));
        if matches!(step, JournalEntry::Put(_)) && is_there(&from) {
            fs::rename(from, place)?;
        }
    }
    Ok(())
}

/// Files only: a folder of that name is somebody's own.
fn put_aside(place: &Path, to: &Path) -> io::Result<()> {
    if fs::symlink_metadata(place)?.is_dir() {
        let name = place.file_name().unwrap_or_default().display().to_string();
        return Err(io::Error::other(format!("`{name}` in it is a directory")));
    }
    fs::rename(place, to)
}

/// Puts the earlier files back, and the new ones aside. May be done again after it was cut short.
fn back(folder: &Path, journal: &Path, steps: &[JournalEntry]) -> io::Result<()> {
    let (new, old) = (journal.join("new"), journal.join("old"));
    let mut restored = Ok(());
    for step in steps {
        let (new, old) = (new.join(step.name()), old.join(step.name()));
        let place = folder.join(step.name());
        let mut moves = Ok(());
        if matches!(step, JournalEntry::Put(_)) && !is_there(&new) && is_there(&place) {
            moves = put_aside(&place, &new);
        }
        if is_there(&old) {
            moves = moves.and_then(|()| fs::rename(&old, &place));
        }
        restored = restored.and(moves);
    }
    restored
}

/// Also if it is a link that leads nowhere.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Finishes what a run had committed that died, and takes away what another had only begun.
fn recover(lock: &Lock, folder: &Path) -> io::Result<()> {
    let journal = folder.join(JOURNAL);
    let entries = fs::read_dir(folder)?;
    let left: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_temporary))
        .collect();
    if left.is_empty() && !journal.is_dir() {
        return Ok(());
    }
    let _turn = interrupt::turn();
    if journal.is_dir() {
        // What cannot be finished is undone; the earlier results are there then.
        let _ = finish(lock, folder, &journal);
    }
    for path in left {
        let _ = if path.is_dir() { fs::remove_dir_all(&path) } else { fs::remove_file(&path) };
    }
    Ok(())
}

/// A name that nobody else gives.
fn is_temporary(name: &str) -> bool {
    let rest = name.strip_prefix(PREFIX);
    rest.is_some_and(|rest| rest.len() == RANDOM && rest.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// Writes one file, whole or not at all; `place` moves it to where it belongs.
pub fn publish_file(
    folder: &Path,
    text: &str,
    place: impl FnOnce(tempfile::NamedTempFile) -> io::Result<()>,
) -> io::Result<()> {
    interrupt::install_without_search();
    // The name of the file is its own: without a lock only what is left of others stays.
    let lock = Lock::take(folder).ok();
    let mut turn = interrupt::turn();
    let mut file = shared().tempfile_in(folder)?;
    turn.begin(file.path());
    let written = file
        .write_all(text.as_bytes())
        .and_then(|()| file.as_file().sync_all())
        .and_then(|()| place(file));
    turn.done();
    lock.inspect(Lock::flush);
    written
}

fn builder() -> tempfile::Builder<'static, 'static> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PREFIX).rand_bytes(RANDOM);
    builder
}

/// Results are for everyone the user shares the folder with, unlike other temporary files.
fn shared() -> tempfile::Builder<'static, 'static> {
    let mut builder = builder();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder
}

#[cfg(test)]
mod tests;
