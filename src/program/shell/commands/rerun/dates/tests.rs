use super::dated;

fn words(text: &str) -> Vec<String> {
    text.split(' ').map(str::to_owned).collect()
}

#[test]
fn dates_become_seconds() {
    let cases = [
        ("+%F", "+%F"),
        ("-d @5 +%F", "-d @5 +%F"),
        ("-u -d 1970-01-02", "-u -d @86400"),
        ("-ud 1970-01-02", "-ud @86400"),
        ("--date=1970-01-02", "--date=@86400"),
        ("-d1970-01-02", "--date=@86400"),
        ("--date 1970-01-02 +%s", "--date @86400 +%s"),
        ("-d nonsense", "-d nonsense"),
        ("-r -d", "-r -d"),
    ];
    for (args, expected) in cases {
        assert_eq!(dated(&words(args), 0.0), words(expected), "{args}");
    }
}

#[test]
fn a_clock_between_two_seconds() {
    let shown = dated(&["-d".into(), "now".into()], 86_401_250.0);
    assert_eq!(shown, ["-d", "1970-01-02 00:00:01.250000000 UTC"]);
}
