//! Runs that die, and moves that fail, at every point.

use super::*;
use std::collections::BTreeMap;

const OLD: [(&str, &str); 4] = [("a", "old"), ("b", "old"), ("gone", "old"), ("mine", "keep")];

fn put() -> [Artifact; 3] {
    ["a", "b", "c"].map(|name| Artifact::new(name, name, "new"))
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in OLD {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let name = |path: &Path| path.file_name().unwrap().to_str().unwrap().to_owned();
    entries.map(|path| (name(&path), fs::read_to_string(&path).unwrap_or_default())).collect()
}

fn expected(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect()
}

fn after() -> BTreeMap<String, String> {
    expected(&[("a", "new"), ("b", "new"), ("c", "new"), ("mine", "keep")])
}

#[test]
fn new_files_replace_the_earlier_ones_and_nothing_else() {
    let folder = folder();
    publish(folder.path(), Change { put: &put(), away: &["gone"] }).unwrap();
    assert_eq!(files(folder.path()), after());
}

/// Two signals, or a kill, while files were moved left files of two runs side by side.
#[test]
fn a_run_that_died_at_any_point_is_finished_or_forgotten() {
    // Moves: three earlier files aside, three new ones in; then the journal goes.
    for moves in 0..=6 {
        let folder = folder();
        let path = folder.path();
        let (lock, stage) = enter(path).unwrap();
        stage.write(&Change { put: &put(), away: &["gone"] }).unwrap();
        drop(lock);
        let journal = path.join(JOURNAL);
        fs::rename(&stage.path, &journal).unwrap();
        std::mem::forget(stage);
        let (new, old) = (journal.join("new"), journal.join("old"));
        let aside = ["gone", "b", "a"].map(|name| (path.join(name), old.join(name)));
        let put = ["a", "b", "c"].map(|name| (new.join(name), path.join(name)));
        for (from, to) in aside.into_iter().chain(put).take(moves) {
            fs::rename(from, to).unwrap();
        }
        drop(Lock::take(path).unwrap());
        assert_eq!(files(path), after(), "{moves}");
    }
    let folder = folder();
    let (lock, stage) = enter(folder.path()).unwrap();
    stage.write(&Change { put: &put(), away: &["gone"] }).unwrap();
    std::mem::forget((lock, stage));
    fs::write(folder.path().join(".takt-a1B2c3"), "left by an earlier version").unwrap();
    fs::write(folder.path().join(".takt-notes"), "somebody's own").unwrap();
    interrupt::turn().done();
    recover(&Lock { file: None }, folder.path()).unwrap();
    let mut left = expected(&OLD);
    left.insert(".takt-notes".to_owned(), "somebody's own".to_owned());
    assert_eq!(files(folder.path()), left);
}

/// A directory that appears while the search goes on made a rename fail midway.
#[test]
fn a_move_that_fails_undoes_those_before_it() {
    for blocked in ["a", "b", "c", "gone"] {
        let folder = folder();
        let _ = fs::remove_file(folder.path().join(blocked));
        fs::create_dir(folder.path().join(blocked)).unwrap();
        let before = files(folder.path());
        assert!(publish(folder.path(), Change { put: &put(), away: &["gone"] }).is_err());
        assert_eq!(files(folder.path()), before, "{blocked}");
    }
}

/// A directory that appeared just between two moves cost the earlier file of its name.
#[test]
fn what_cannot_be_undone_at_once_is_undone_by_the_next_run() {
    let folder = folder();
    let path = folder.path();
    let (lock, stage) = enter(path).unwrap();
    stage.write(&Change { put: &put(), away: &["gone"] }).unwrap();
    let journal = path.join(JOURNAL);
    fs::rename(&stage.path, &journal).unwrap();
    std::mem::forget(stage);
    // As if it had come after the earlier file was put aside.
    for name in ["gone", "b", "a"] {
        fs::rename(path.join(name), journal.join("old").join(name)).unwrap();
    }
    fs::create_dir(path.join("b")).unwrap();
    assert!(finish(&lock, path, &journal).is_err());
    drop(lock);
    assert!(journal.is_dir() && path.join("b").is_dir());
    fs::remove_dir(path.join("b")).unwrap();
    drop(Lock::take(path).unwrap());
    assert_eq!(files(path), expected(&OLD));
}

#[test]
fn a_journal_that_leads_elsewhere_moves_nothing() {
    assert_eq!(step("+a"), Some(JournalEntry::Put("a".to_owned())));
    assert_eq!(step("-a b"), Some(JournalEntry::Away("a b".to_owned())));
    for line in ["", "+", "a", "+../a", "+/a", "+a/b", "-..", "+a/", "\u{e9}a"] {
        assert_eq!(step(line), None, "{line}");
    }
}

#[test]
fn folders_that_were_made_for_a_trial_go_again() {
    let folder = tempfile::tempdir().unwrap();
    rehearse(&folder.path().join("x/y"), &[], 10).unwrap();
    assert!(files(folder.path()).is_empty());
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(rehearse(&folder.path().join("file/y"), &[], 10).is_err());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
        for place in ["link", "link/below"] {
            let error = rehearse(&folder.path().join(place), &[], 10).unwrap_err().to_string();
            assert!(error.contains("a link to a place that does not exist"), "{error}");
        }
    }
}

/// Two runs tried one folder that was not there: one took away what the other was writing, since it
/// had a lock on the folder before that.
#[cfg(unix)]
#[test]
fn a_lock_on_a_folder_that_was_replaced_is_none() {
    let root = tempfile::tempdir().unwrap();
    let folder = root.path().join("out");
    fs::create_dir(&folder).unwrap();
    let opened = File::open(&folder).unwrap();
    assert!(is_at(&opened, &folder));
    fs::remove_dir(&folder).unwrap();
    assert!(!is_at(&opened, &folder));
    // The number of the first must not be used again.
    fs::create_dir(&folder).unwrap();
    assert!(!is_at(&opened, &folder));
}
