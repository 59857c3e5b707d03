//! Which column is what, by its name: words that planners use, in English and in German.

/// What a column may be, as the spec calls it; the first that fits a name has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meaning {
    Order,
    Recipe,
    Step,
    On,
    SetupTime,
    UnitTime,
    Duration,
    Deadline,
    Due,
    Release,
    Size,
    Family,
    DelayCost,
}

/// Names without signs, umlauts told in two letters. Those that come first fit better.
const WORDS: [(Meaning, &[&str]); 13] = [
    (
        Meaning::Order,
        &[
            "order",
            "auftrag",
            "auftragsnr",
            "auftragsnummer",
            "auftragid",
            "orderid",
            "orderno",
            "ordernr",
            "ordernumber",
            "fertigungsauftrag",
            "produktionsauftrag",
            "workorder",
            "job",
            "jobid",
            "fa",
            "faauftrag",
            "po",
            "id",
            "nummer",
            "number",
            "nr",
            "no",
        ],
    ),
    (
        Meaning::Recipe,
        &[
            "recipe",
            "teil",
            "artikel",
            "artikelnr",
            "artikelnummer",
            "teilenr",
            "teilenummer",
            "sachnummer",
            "material",
            "materialnr",
            "materialnummer",
            "product",
            "produkt",
            "article",
            "articleno",
            "item",
            "itemno",
            "part",
            "partno",
            "partnumber",
            "sku",
            "rezept",
            "rezeptur",
            "arbeitsplan",
            "routing",
        ],
    ),
    (
        Meaning::Step,
        &[
            "step",
            "vorgang",
            "vorgangsnr",
            "vorgangsnummer",
            "arbeitsgang",
            "arbeitsgangnr",
            "arbeitsschritt",
            "schritt",
            "operation",
            "operationno",
            "op",
            "opno",
            "avo",
            "ag",
            "agnr",
            "task",
            "sequence",
            "seq",
            "position",
            "pos",
        ],
    ),
    (
        Meaning::On,
        &[
            "on",
            "platz",
            "arbeitsplatz",
            "maschine",
            "maschinen",
            "maschinengruppe",
            "machine",
            "machines",
            "machinegroup",
            "workcentre",
            "workcenter",
            "workstation",
            "station",
            "resource",
            "ressource",
            "anlage",
            "linie",
            "line",
            "kapazitaetsstelle",
            "kapazitaet",
            "kostenstelle",
        ],
    ),
    (
        Meaning::SetupTime,
        &["setup", "setuptime", "ruestzeit", "ruesten", "ruest", "tr", "changeover"],
    ),
    (
        Meaning::UnitTime,
        &[
            "unittime",
            "timeperunit",
            "timeperpiece",
            "piecetime",
            "cycletime",
            "stueckzeit",
            "zeitjestueck",
            "zeitprostueck",
            "einzelzeit",
            "zykluszeit",
            "taktzeit",
            "te",
        ],
    ),
    (
        Meaning::Duration,
        &[
            "duration",
            "dauer",
            "zeit",
            "time",
            "bearbeitungszeit",
            "bearbeitungsdauer",
            "laufzeit",
            "prozesszeit",
            "processingtime",
            "processtime",
            "runtime",
            "worktime",
            "vorgangsdauer",
            "minutes",
            "minuten",
            "hours",
            "stunden",
        ],
    ),
    (
        Meaning::Deadline,
        &["deadline", "spaetestens", "spaetestesende", "latestend", "latestfinish", "mustfinish"],
    ),
    (
        Meaning::Due,
        &[
            "due",
            "duedate",
            "liefertermin",
            "lieferdatum",
            "termin",
            "solltermin",
            "endtermin",
            "wunschtermin",
            "faellig",
            "faelligkeit",
            "faelligam",
            "deliverydate",
            "delivery",
            "needdate",
            "needby",
            "requireddate",
            "enddate",
            "ende",
            "fertigstellung",
            "bedarfstermin",
            "eckendtermin",
        ],
    ),
    (
        Meaning::Release,
        &[
            "release",
            "releasedate",
            "fruehestens",
            "fruehesterstart",
            "starttermin",
            "startdatum",
            "startdate",
            "earlieststart",
            "start",
            "beginn",
            "freigabe",
            "freigabedatum",
            "verfuegbarab",
            "available",
            "availablefrom",
            "eckstarttermin",
        ],
    ),
    (
        Meaning::Size,
        &[
            "size",
            "menge",
            "quantity",
            "qty",
            "amount",
            "stueck",
            "stueckzahl",
            "losgroesse",
            "los",
            "anzahl",
            "sollmenge",
            "auftragsmenge",
            "pieces",
            "lotsize",
            "batchsize",
            "orderqty",
            "orderquantity",
        ],
    ),
    (
        Meaning::Family,
        &[
            "family",
            "familie",
            "ruestfamilie",
            "ruestgruppe",
            "setupfamily",
            "setupgroup",
            "productfamily",
            "produktfamilie",
            "produktgruppe",
            "farbe",
            "colour",
            "color",
        ],
    ),
    (
        Meaning::DelayCost,
        &["delaycost", "verzugskosten", "poenale", "penalty", "strafe", "tardinesscost"],
    ),
];

/// Where in the list a name stands: smaller is better. A name that only begins or ends with a word, or
/// has it among others, comes after all that are one.
pub(super) fn rank(name: &str, meaning: Meaning) -> Option<usize> {
    let words = WORDS.iter().find(|(known, _)| *known == meaning).map_or(&[][..], |(_, w)| w);
    let whole = folded(name);
    if let Some(at) = words.iter().position(|word| *word == whole) {
        return Some(at);
    }
    let parts: Vec<String> =
        name.split(|c: char| !c.is_alphanumeric()).map(folded).filter(|p| !p.is_empty()).collect();
    if let Some(at) = words.iter().position(|word| parts.iter().any(|part| part == word)) {
        return Some(100 + at);
    }
    let is_long = |word: &&&str| word.len() >= 5;
    let fits = |word: &&str| whole.starts_with(word) || whole.ends_with(word);
    let at = words.iter().filter(is_long).position(fits);
    at.map(|at| 200 + at)
}

/// Small letters and digits; umlauts as two letters.
fn folded(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars().flat_map(char::to_lowercase) {
        match c {
            'ä' => out.push_str("ae"),
            'ö' => out.push_str("oe"),
            'ü' => out.push_str("ue"),
            'ß' => out.push_str("ss"),
            c if c.is_alphanumeric() => out.push(c),
            _ => {}
        }
    }
    out
}

/// The unit of time that a name tells, as the spec writes it.
pub(super) fn unit(name: &str) -> Option<&'static str> {
    let parts = name.split(|c: char| !c.is_alphanumeric()).map(folded);
    parts.filter(|part| !part.is_empty()).find_map(|part| match part.as_str() {
        "s" | "sec" | "sek" | "seconds" | "sekunden" => Some("s"),
        "m" | "min" | "minutes" | "minuten" | "mins" => Some("min"),
        "h" | "hours" | "stunden" | "std" | "hrs" => Some("h"),
        "d" | "days" | "tage" => Some("d"),
        _ => None,
    })
}
