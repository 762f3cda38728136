use super::*;

/// Answers of the Python package `surt` 0.3.1, as all keys below.
fn assert_keys(cases: &[(&str, &str)]) {
    for (address, key) in cases {
        assert_eq!(surt(address), *key, "{address}");
    }
}

#[test]
fn keys_are_those_of_the_tools_around_pywb() {
    assert_keys(&[
        ("http://www.Example.org/", "org,example)/"),
        ("https://www2.example.org:443/A/b/?b=2&a=1#x", "org,example)/a/b?a=1&b=2"),
        ("http://user:p@ss@example.org:8080", "org,example:8080)/"),
        ("http://example.org/a%20b/./c/../d//e", "org,example)/a%20b/d/e"),
        ("http://example.org/a//../b/..", "org,example)/a"),
        ("http://example.org/../a%2Fb/", "org,example)/../a/b"),
        ("http://example.org/?", "org,example)/"),
        ("http://example.org/?%26", "org,example)/?&"),
        ("http://example.org/caf%C3%A9", "org,example)/caf%c3%a9"),
        ("http://example.org/%2541%E4", "org,example)/a%e4"),
        ("http://example.org/a?x&y=&x=1", "org,example)/a?x&x=1&y="),
        ("example.org/x", "org,example)/x"),
        ("//example.org/x", "org,example)/x"),
        ("http://https://example.org/x", "org,example)/x"),
        ("http:///example.org/x", "org,example)/x"),
        ("http:example.org", "org,example)/"),
        (" http://exam\nple.org/\t", "org,example)/"),
    ]);
}

#[test]
fn hosts_are_written_in_one_way() {
    assert_keys(&[
        ("http://www.www.example.org/", "org,example,www)/"),
        ("http://www/", "www)/"),
        ("http://.example..org./", "org,example)/"),
        ("http://example.org:/x", "org,example)/x"),
        ("http://example.org:0080/x", "org,example)/x"),
        ("ftp://example.org:80/x", "org,example:80)/x"),
        ("http://ex ample.org/x", "org,ex%20ample)/x"),
        ("http://[2001:DB8::1]:8080/x", "2001:db8::1:8080)/x"),
        ("http://192.0.2.1/x", "1,2,0,192)/x"),
        ("http://3232235777/", "1,1,168,192)/"),
        ("http://127.1/", "1,0,0,127)/"),
        ("http://017.1.1.1/", "1,1,1,15)/"),
        ("http://0x7f.1/", "1,0x7f)/"),
        ("http://1.2.3.256/", "256,3,2,1)/"),
        ("http://0.8/", "8,0)/"),
        ("http://b\u{FC}cher.example/x", "example,xn--bcher-kva)/x"),
        ("http://B%C3%9CCHER.example/", "example,xn--bcher-kva)/"),
        ("http://www.stra\u{DF}e.de/", "de,strasse)/"),
        ("http://\u{65E5}\u{672C}\u{8A9E}\u{3002}jp/", "jp,xn--wgv71a119e)/"),
        ("http://\u{5D0}\u{5D1}.example/", "example,xn--4dbc)/"),
        ("http://a\u{5D0}.example/", "example,a%d7%90)/"),
        ("http://\u{5D0}1.example/", "example,%d7%901)/"),
        // No name may have a label that is empty, private or too long: it stays as it is.
        ("http://a..b.\u{FC}/", "%c3%bc,b,a)/"),
        ("http://\u{E000}.example/", "example,%ee%80%80)/"),
    ]);
    let long = format!("http://{}\u{FC}.example/", "a".repeat(60));
    assert_eq!(surt(&long), format!("example,{}%c3%bc)/", "a".repeat(60)));
}

#[test]
fn what_has_no_host_keeps_its_scheme() {
    assert_keys(&[
        ("urn:X:1", "urn:x:1"),
        ("URN:X:1/", "URN:x:1"),
        ("dns:Example.org", "dns:example.org"),
        ("mailto:A@example.org?b&a", "mailto:a@example.org?a&b"),
        ("screenshot:http://Example.org/", "screenshot:http://example.org"),
        ("data:text/plain,a b", "data:text/plain,a%20b"),
        ("file:///a/B", "file:/a/b"),
        ("http://?x=1", "http:/?x=1"),
        ("http://#x", "http:"),
        ("http://.../x", "http:/x"),
        ("example.org:8080/x", "example.org:8080/x"),
        ("filedesc://X.arc", "filedesc://X.arc"),
        ("", "-"),
    ]);
}

/// For these the package raises an error, and the indexers take the address itself.
#[test]
fn addresses_with_ports_that_are_none_are_their_own_keys() {
    for address in ["http://a:b:c/", "http://example.org:65536/A", "http://example.org:-1/"] {
        assert_eq!(surt(address), address);
    }
    assert_eq!(surt("http://example.org:x/a b"), "http://example.org:x/a%20b");
}

#[test]
fn ids_of_sessions_go() {
    const ID: &str = "0123456789abcdef0123456789ABCDEF";
    const PATH_ID: &str = "0123456789abcdefghijklMN";
    for (address, key) in [
        (format!("a?PHPSESSID={ID}&x=1"), "a?x=1"),
        (format!("a?x=1&sid={ID}"), "a?&x=1"),
        (format!("a?xsid={ID}&b=1"), "a?xb=1"),
        (format!("a?sid={ID}0&b=1"), "a?b=1&sid=0123456789abcdef0123456789abcdef0"),
        (format!("a?jsessionid={ID}&sid={ID}"), "a"),
        ("a?ASPSESSIONIDabcdefgh=ABCDEFGHIJKLMNOPQRSTUVWX".to_owned(), "a"),
        ("a?cfid=1&cftoken=2&x=1".to_owned(), "a?x=1"),
        ("a?cfid=&cftoken=2".to_owned(), "a?cfid=&cftoken=2"),
        (format!("a/({PATH_ID})/b.aspx"), "a/b.aspx"),
        (format!("a/(S({PATH_ID})F({PATH_ID}))/b.aspx?x"), "a/b.aspx?x"),
        (format!("a/({PATH_ID})/b.html"), "a/(0123456789abcdefghijklmn)/b.html"),
        (format!("a/({PATH_ID})/.aspx"), "a/(0123456789abcdefghijklmn)/.aspx"),
    ] {
        let address = format!("http://example.org/{address}");
        assert_eq!(surt(&address), format!("org,example)/{key}"), "{address}");
    }
}

#[test]
fn hostile_addresses_cost_no_more_than_their_length() {
    for part in [
        "/(",
        ")/",
        "/(0123456789abcdefghijklmn)/",
        "sid=",
        "cfid=",
        "&cfid=1&",
        "%25",
        ".",
        "../",
        "\u{FC}",
    ] {
        let long = part.repeat((1 << 18) / part.len());
        for address in [
            format!("http://e.org/%{long}?{long}"),
            format!("http://{long}/"),
            format!("http://e.org/{long}x.aspx"),
        ] {
            assert!(!surt(&address).is_empty());
        }
    }
}
