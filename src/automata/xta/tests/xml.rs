//! UPPAAL's XML files, read and written.

use super::*;
use crate::network::*;

const GATE: &str = r##"<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE nta PUBLIC '-//Uppaal Team//DTD Flat System 1.1//EN' 'http://www.it.uu.se/research/group/darts/uppaal/flat-1_1.dtd'>
<nta>
    <declaration>// Place global declarations here.
const int N = 2; chan go[N]; clock z; bool b = 1 &lt; 2 &amp;&amp; true;</declaration>
    <template>
        <name x="5" y="5">P</name>
        <parameter>const int i, clock &amp;y</parameter>
        <declaration>clock x; int k;</declaration>
        <location id="id0" x="10" y="20" color="#ff0000">
            <name x="1" y="2">A</name>
            <label kind="invariant" x="1" y="2">x &lt;= 5</label>
            <label kind="comments">first</label>
        </location>
        <location id="id1"><urgent/></location>
        <location id="A"><name></name><committed/></location>
        <init ref="id0"/>
        <transition>
            <source ref="id0"/>
            <target ref="id1"/>
            <label kind="select">e : int[0,1]</label>
            <label kind="guard"><![CDATA[x > 2 && k < 3]]></label>
            <label kind="synchronisation">go[i]!</label>
            <label kind="assignment">x = 0, k = e</label>
            <label kind="testcode">ignored $$$</label>
            <nail x="1" y="2"/>
        </transition>
        <transition><source ref="id1"/><target ref="A"/><label kind="guard"> </label></transition>
    </template>
    <system>
P1 = P(1, z);
system P1;
    </system>
    <queries>
        <option key="--search-order" value="0"/>
        <query><formula>E&lt;&gt; P1.A</formula><comment>yes</comment></query>
        <query><formula></formula><comment/></query>
        <query><formula>Pr[&lt;=10](&lt;&gt; P1.A)</formula><comment/></query>
    </queries>
</nta>"##;

#[test]
fn a_file_of_the_editor() {
    let network = parse_any(GATE, FILE).unwrap();
    let text = "const int N = 2; chan go[N]; clock z; bool b = 1 < 2 && true;
        process P(const int i, clock &y) {
            clock x; int k;
            state A { x <= 5 }, id1, A_;
            commit A_; urgent id1;
            init A;
            trans A -> id1 { select e : int[0,1]; guard x > 2 && k < 3; sync go[i]!; assign x = 0, k = e; },
                  id1 -> A_ {};
        }
        P1 = P(1, z);
        system P1;";
    let mut expected = model(text);
    expected.queries.push(parse_query("E<> P1.A", FILE).unwrap());
    assert_eq!(network.unread.iter().map(|d| d.code).collect::<Vec<_>>(), ["unsupported"]);
    expected.unread = network.unread.clone();
    assert_eq!(network, expected);
}

#[test]
fn spans_point_into_the_file() {
    let network = parse_xml(GATE, FILE).unwrap();
    let Some(Item::Template(p)) = network.items.iter().find(|i| matches!(i, Item::Template(_)))
    else {
        panic!()
    };
    let raw = |span: takt_diagnostic::Span| &GATE[span.start as usize..span.end as usize];
    assert_eq!(raw(p.locations[0].invariant.as_ref().unwrap().span), "x &lt;= 5");
    assert_eq!(raw(p.edges[0].guard.as_ref().unwrap().span), "x > 2 && k < 3");
    assert_eq!(raw(p.name.span), "P");
    assert_eq!(raw(network.queries[0].span), "E&lt;&gt; P1.A");
    assert_eq!(raw(p.locations[1].name.span), "<location");
}

#[test]
fn written_files_read_back() {
    let mut network = parse_xml(GATE, FILE).unwrap();
    network.unread.clear();
    let printed = print_xml(&network);
    assert_eq!(parse_any(&printed, FILE).unwrap(), network, "{printed}");
}

fn codes(xml: &str) -> Vec<&'static str> {
    parse_xml(xml, FILE).unwrap_err().iter().map(|d| d.code).collect()
}

#[test]
fn what_is_wrong_with_a_file() {
    assert_eq!(codes("<nta>"), ["malformed-xml"]);
    assert_eq!(codes("<a/>"), ["not-a-model"]);
    assert_eq!(codes("<nta><declaration>int x;</declaration></nta>"), ["missing-system"]);
    assert_eq!(
        codes("<!DOCTYPE a [<!ENTITY a 'b'><!ENTITY c '&a;&a;&a;'>]><nta>&c;</nta>"),
        ["xml-entity"]
    );
    let template = |inner: &str| {
        format!("<nta><template><name>P</name>{inner}</template><system>system P;</system></nta>")
    };
    assert_eq!(codes(&template("")), ["missing-locations"]);
    assert_eq!(codes(&template("<location id='a'/>")), ["missing-init"]);
    assert_eq!(codes(&template("<location id='a'/><init ref='b'/>")), ["unknown-location"]);
    assert_eq!(
        codes(&template(
            "<location id='a'/><branchpoint id='b'/><init ref='a'/>\
             <transition><source ref='a'/><target ref='b'/></transition>"
        )),
        ["unsupported"]
    );
    let edge = "<transition><source ref='a'/><target ref='a'/><label kind='guard'>x &lt;</label>\
                <label kind='assignment'>x = = 0</label></transition>";
    assert_eq!(
        codes(&template(&format!("<location id='a'/><init ref='a'/>{edge}"))),
        ["syntax", "syntax"]
    );
}
