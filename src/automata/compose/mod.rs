//! Networks put together from template files: fragments that are stamped with values and woven.

mod names;
mod stamp;
mod templates;
mod values;
mod weave;
mod woven;

pub use names::Names;
pub use stamp::Stamp;
pub use templates::{Embedded, Templates, declared};
pub use values::{list, set_constants};
pub use weave::{Weave, all};
pub use woven::{name_parameters, woven};
