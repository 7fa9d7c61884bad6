use proptest::prelude::*;

use super::*;

#[test]
fn every_character_that_json_escapes() {
    for special in (0..0x100).filter_map(char::from_u32) {
        for before in 0..10 {
            let text = format!("{}{special}{special}ü{special}", "x".repeat(before));
            let mut json = JsonText::default();
            json.string(&text);
            assert_eq!(json.end(), serde_json::to_string(&text).unwrap());
        }
    }
}

proptest! {
    #[test]
    fn strings_are_spelled_as_the_library_spells_them(text in "(?s)([a-z]{0,9}|[\"\\\\\n\t\u{0}-\u{20}é灯😀]|.){0,12}") {
        let mut json = JsonText::default();
        json.string(&text).piece(",").value(&text);
        let spelled = serde_json::to_string(&text).unwrap();
        prop_assert_eq!(json.end(), format!("{spelled},{spelled}"));
    }

    #[test]
    fn the_first_special_byte_is_found(bytes in prop::collection::vec(prop_oneof![any::<u8>(), Just(b'a'), Just(b'!')], 0..30)) {
        let first = bytes.iter().position(|b| *b == b'"' || *b == b'\\' || *b < 0x20);
        prop_assert_eq!(plain(&bytes), first);
    }
}
