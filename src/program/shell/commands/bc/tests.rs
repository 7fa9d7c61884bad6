use super::run;
use proptest::prelude::*;

fn shown(program: &str) -> String {
    let (out, problems) = run(&[program.to_owned()], false);
    assert_eq!(problems, "", "{program}");
    out.trim_end().replace('\n', " ")
}

#[test]
fn programs() {
    let cases = [
        ("1+2*3", "7"),
        ("scale=2; 10/4", "2.50"),
        ("scale=2; 1/2", ".50"),
        ("scale=4; 22/7", "3.1428"),
        ("-5/2", "-2"),
        ("2^100", "1267650600228229401496703205376"),
        ("1.5*2", "3.0"),
        ("scale=2; (100-95)/100*100", "5.00"),
        ("scale=2; 2^10", "1024"),
        ("scale=2; 7%3", ".01"),
        ("10%3", "1"),
        ("2^-2", "0"),
        ("scale=3; sqrt(2)", "1.414"),
        ("0.1+0.2", ".3"),
        ("x=5; x*2", "10"),
        ("x=5; x+=2; x", "7"),
        ("(x=3)", "3"),
        ("obase=16; 255", "FF"),
        ("obase=2; 10", "1010"),
        ("obase=2; .5", ".1000"),
        ("ibase=16; FF", "255"),
        ("ibase=2; 1010", "10"),
        ("5>3; 3>5", "1 0"),
        ("1&&0; 1||0; !1", "0 1 0"),
        ("if (3>2) 1 else 2", "1"),
        ("i=0; while (i<3) { i; i+=1 }", "0 1 2"),
        ("for (i=0; i<3; i++) i", "0 1 2"),
        ("for (i=0;;i++) { if (i>2) break; i }", "0 1 2"),
        ("define f(x) { return(x*x); }\nf(4)", "16"),
        (
            "define f(n) { auto r; if (n<=1) return(1); r = n*f(n-1); return(r); }\nf(20)",
            "2432902008176640000",
        ),
        ("a[1]=5; a[1]+a[2]", "5"),
        ("print \"a\", 1+1, \"\\n\"", "a2"),
        ("\"text\"", "text"),
        ("length(12345); scale(1.234)", "5 3"),
        ("1;2;quit;3", "1 2"),
        ("/* c */ 1 # rest\n2", "1 2"),
        ("-.5", "-.5"),
        ("0.00", "0"),
    ];
    for (program, expected) in cases {
        assert_eq!(shown(program), expected, "{program}");
    }
}

#[test]
fn the_library() {
    let cases = [
        ("1/3", ".33333333333333333333"),
        ("scale=10; 4*a(1)", "3.1415926532"),
        ("e(1)", "2.71828182845904523536"),
        ("l(2)", ".69314718055994530941"),
        ("l(e(3))", "2.99999999999999999999"),
        ("s(0)", "0"),
        ("scale=8; s(1)", ".84147098"),
        ("scale=8; c(1)", ".54030230"),
        ("scale=8; s(100)", "-.50636564"),
        ("e(-1)", ".36787944117144232159"),
        ("l(10)", "2.30258509299404568401"),
    ];
    for (program, expected) in cases {
        let (out, problems) = run(&[program.to_owned()], true);
        assert_eq!((out.trim_end(), problems.as_str()), (expected, ""), "{program}");
    }
}

#[test]
fn long_numbers_are_broken_into_lines() {
    let (out, _) = run(&["2^300".to_owned()], false);
    assert!(out.starts_with(
        "20370359763344860862684456884093781610514683936659362506361404493543\\\n81299763336706183397376\n"
    ));
}

#[test]
fn what_cannot_be_calculated_is_said() {
    for program in [
        "1/0",
        "sqrt(-1)",
        "9^9^9^9",
        "while (1) 1==1",
        "define f(x) { return(f(x)); }\nf(1)",
        "1+",
        "nosuch(1)",
        "scale=9999",
        "1 ? 2",
        "f(",
        "obase=99",
    ] {
        let (_, problems) = run(&[program.to_owned()], false);
        assert!(problems.starts_with("bc: "), "{program}");
    }
    let (out, problems) = run(&["1/0\n2".to_owned()], false);
    assert_eq!((out.as_str(), problems.is_empty()), ("2\n", false));
    assert!(!run(&["(".repeat(100_000)], false).1.is_empty());
    assert!(!run(&["{".repeat(100_000)], false).1.is_empty());
    assert!(!run(&["-".repeat(100_000)], false).1.is_empty());
    assert!(!run(&["1^".repeat(100_000)], false).1.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_program_ends(program in "([0-9]{1,3}|[a-c]|[-+*/%^()=<>;{}]|scale=|if|while|\n| ){0,30}") {
        run(&[program], true);
    }

    #[test]
    fn whole_numbers_are_exact(a in any::<i32>(), b in 1i32..) {
        let (a, b) = (i64::from(a), i64::from(b));
        let program = format!("({a})+({b});({a})-({b});({a})*({b});({a})/({b});({a})%({b})");
        let expected = format!("{}\n{}\n{}\n{}\n{}\n", a + b, a - b, a * b, a / b, a % b);
        prop_assert_eq!(run(&[program], false).0, expected);
    }
}
