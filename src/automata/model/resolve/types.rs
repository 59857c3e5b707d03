//! Types as they are meant: ranges known, arrays with their lengths, structs with offsets.

use std::fmt;
use std::sync::Arc;

/// The range of a plain `int` variable.
pub const DEFAULT_LO: i64 = -32768;
pub const DEFAULT_HI: i64 = 32767;

#[derive(Clone, Debug, PartialEq)]
pub enum Ty {
    Int { lo: i64, hi: i64 },
    Bool,
    Scalar { set: u32, size: u32 },
    Clock,
    Chan { urgent: bool, broadcast: bool },
    Void,
    Array(Arc<ArrayTy>),
    Struct(Arc<StructTy>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ArrayTy {
    pub index: Index,
    pub element: Ty,
    len: u64,
    depth: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StructTy {
    pub fields: Vec<Field>,
    len: u64,
    depth: u32,
}

/// What an array is indexed by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Index {
    pub first: i64,
    pub length: u32,
    /// The scalar set that indices belong to.
    pub set: Option<u32>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub ty: Ty,
    pub offset: u32,
}

impl Ty {
    /// A plain `int`.
    pub const INT: Ty = Ty::Int { lo: DEFAULT_LO, hi: DEFAULT_HI };
    /// Integers as wide as they are computed: constants, values of expressions.
    pub const WIDE: Ty = Ty::Int { lo: i64::MIN, hi: i64::MAX };

    pub fn array(index: Index, element: Ty) -> Ty {
        let len = u64::from(index.length).saturating_mul(element.len());
        let depth = element.depth() + 1;
        Ty::Array(Arc::new(ArrayTy { index, element, len, depth }))
    }

    pub fn structure(fields: Vec<Field>) -> Ty {
        let len = fields.iter().fold(0, |sum: u64, field| sum.saturating_add(field.ty.len()));
        let depth = fields.iter().map(|field| field.ty.depth()).max().unwrap_or(0) + 1;
        Ty::Struct(Arc::new(StructTy { fields, len, depth }))
    }

    /// How many arrays and structs lie within each other.
    pub fn depth(&self) -> u32 {
        match self {
            Ty::Array(array) => array.depth,
            Ty::Struct(structure) => structure.depth,
            _ => 0,
        }
    }

    /// How many cells a value takes (clocks or channels where it is made of those).
    pub fn len(&self) -> u64 {
        match self {
            Ty::Void => 0,
            Ty::Array(array) => array.len,
            Ty::Struct(structure) => structure.len,
            _ => 1,
        }
    }

    /// The same for a type that was let through: all models are smaller than that.
    pub fn cells(&self) -> u32 {
        u32::try_from(self.len()).expect("types beyond the limits are refused")
    }

    /// One cell: an integer, a boolean or a scalar.
    pub fn is_single(&self) -> bool {
        matches!(self, Ty::Int { .. } | Ty::Bool | Ty::Scalar { .. })
    }

    /// Whether some array in it is indexed by scalars.
    pub fn has_scalar_index(&self) -> bool {
        match self {
            Ty::Array(array) => array.index.set.is_some() || array.element.has_scalar_index(),
            Ty::Struct(structure) => structure.fields.iter().any(|f| f.ty.has_scalar_index()),
            _ => false,
        }
    }

    /// The scalar set that values belong to.
    pub fn scalar_set(&self) -> Option<u32> {
        match *self {
            Ty::Scalar { set, .. } => Some(set),
            _ => None,
        }
    }

    pub fn is_number(&self) -> bool {
        matches!(self, Ty::Int { .. } | Ty::Bool)
    }

    /// The values of a single-cell type.
    pub fn range(&self) -> Option<(i64, i64)> {
        match *self {
            Ty::Int { lo, hi } => Some((lo, hi)),
            Ty::Bool => Some((0, 1)),
            Ty::Scalar { size, .. } => Some((0, i64::from(size) - 1)),
            _ => None,
        }
    }

    /// What arrays of this type are made of in the end.
    pub fn innermost(&self) -> &Ty {
        let mut ty = self;
        while let Ty::Array(array) = ty {
            ty = &array.element;
        }
        ty
    }

    /// Whether one may stand for the other by reference or be copied to it whole: the same
    /// shape, where the ranges of integers may differ (every write is checked anyway).
    pub fn has_shape_of(&self, other: &Ty) -> bool {
        match (self, other) {
            (Ty::Int { .. }, Ty::Int { .. }) | (Ty::Chan { .. }, Ty::Chan { .. }) => true,
            (Ty::Array(a), Ty::Array(b)) => {
                a.index == b.index && a.element.has_shape_of(&b.element)
            }
            (Ty::Struct(a), Ty::Struct(b)) => {
                a.fields.len() == b.fields.len()
                    && a.fields
                        .iter()
                        .zip(&b.fields)
                        .all(|(a, b)| a.name == b.name && a.ty.has_shape_of(&b.ty))
            }
            _ => self == other,
        }
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ty if *ty == Ty::INT || *ty == Ty::WIDE => write!(f, "int"),
            Ty::Int { lo, hi } => write!(f, "int[{lo},{hi}]"),
            Ty::Bool => write!(f, "bool"),
            Ty::Scalar { size, .. } => write!(f, "scalar[{size}]"),
            Ty::Clock => write!(f, "clock"),
            Ty::Chan { urgent, broadcast } => {
                let urgent = if *urgent { "urgent " } else { "" };
                let broadcast = if *broadcast { "broadcast " } else { "" };
                write!(f, "{urgent}{broadcast}chan")
            }
            Ty::Void => write!(f, "void"),
            Ty::Array(_) => {
                write!(f, "{}", self.innermost())?;
                let mut ty = self;
                while let Ty::Array(array) = ty {
                    write!(f, "[{}]", array.index.length)?;
                    ty = &array.element;
                }
                Ok(())
            }
            Ty::Struct(structure) => {
                let names: Vec<&str> =
                    structure.fields.iter().map(|field| field.name.as_str()).collect();
                write!(f, "struct {{ {} }}", names.join(", "))
            }
        }
    }
}
