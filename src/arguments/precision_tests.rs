use super::*;
use crate::arguments::{ToolArguments, decode};
use crate::protocol::Wire;

#[test]
fn numbers_that_javascript_would_round_are_found() {
    let text = r#"{"a":9007199254740993,"b":[0.1,1e400,{"c/d":-9223372036854775808,"e~":9223372036854775807}],
        "exact":[9007199254740992,1.0,1E2,-0,0.30,5e-324,1.7976931348623157e308,123456789.125,1e21],
        "tiny":1e-400,"long":0.1000000000000000055511151231257827}"#;
    let ToolArguments::Object(members) = decode(&Wire::Text(text.into())) else { panic!("{text}") };
    // -2^63 is a double, but JavaScript writes it back as -9223372036854776000.
    assert_eq!(rounded(&members), ["/a", "/b/1", "/b/2/c~1d", "/b/2/e~0", "/tiny", "/long"]);
}
