//! `takt new`: a starter spec to begin with.

use super::args::New;
use super::console::{self, Console, paint};
use super::error::Error;
use super::{Exit, call, input, output};
use crate::starter::{self, STARTERS};
use serde_json::{Value, json};
use takt_diagnostic::nearest;

pub fn run(args: &New, console: &Console) -> Result<Exit, Error> {
    let Some(name) = args.template.as_deref() else {
        list(console);
        return Ok(Exit::Positive);
    };
    let starter = starter::find(name).ok_or_else(|| unknown(name))?;
    let file = args.file.as_deref().filter(|path| !input::is_standard(path));
    if let Some(path) = file {
        output::write_new(path, starter.text)?;
    }
    if console.json {
        let text = json!({"takt": 1, "template": starter.name, "text": starter.text});
        console.print_beside(&format!("{text}\n"), file.is_some());
    } else if let Some(path) = file {
        let path = path.display();
        console.answer(&format!("wrote {path}; edit it, then: takt solve {path}\n"), "", true);
    } else {
        console::print(starter.text);
    }
    Ok(Exit::Positive)
}

fn list(console: &Console) {
    if console.json {
        let all = STARTERS.iter().map(|s| json!({"name": s.name, "about": s.about}));
        console::print(&format!("{}\n", json!({"takt": 1, "templates": all.collect::<Value>()})));
        return;
    }
    let width = STARTERS.iter().map(|starter| starter.name.len()).max().unwrap_or(0);
    for starter in STARTERS {
        let name = paint(&format!("{:width$}", starter.name), "1", console.color_out);
        console::print(&format!("{name}  {}\n", starter.about));
    }
}

fn unknown(name: &str) -> Error {
    let names = || STARTERS.iter().map(|starter| starter.name);
    let all = names().collect::<Vec<_>>().join(", ");
    let message = format!("there is no starter `{name}`");
    let hint = match nearest(name, names()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("there are {all}"),
    };
    call::error(name, "unknown-template", &message, Some(&hint))
}
