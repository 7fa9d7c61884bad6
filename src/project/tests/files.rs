use crate::project::{CallFiles, image_kind};
use crate::protocol::Scenario;
use crate::protocol::digest::short_hash;

#[test]
fn names_of_the_files_of_a_call() {
    let hash = short_hash("call_9");
    let chat = CallFiles::new(Scenario::Chat, "run_1", "inv_1", 3, "call_9");
    assert_eq!(chat.arguments().as_str(), format!("tool-args/inv_1/round-003-call_{hash}.json"));
    assert_eq!(chat.result().as_str(), format!("tool-results/inv_1/round-003-call_{hash}.json"));
    assert_eq!(chat.readable().as_str(), format!("tool-results/inv_1/round-003-call_{hash}.txt"));
    assert_eq!(chat.image(2, "jpg").as_str(), format!("tool-results/inv_1/round-003-call_{hash}-img-2.jpg"));
    assert_eq!(
        chat.background().result().as_str(),
        format!("tool-results/inv_1/round-003-call_{hash}-background.json")
    );
    let session = CallFiles::new(Scenario::Session, "run_1", "inv_1", 1_234, "call_9");
    assert_eq!(session.result().as_str(), format!("tool-results/run_1/round-1234-call_{hash}.json"));
    assert_eq!(hash.len(), 16);
    assert_eq!(short_hash("abc"), "ba7816bf8f01cfea");
}

#[test]
fn no_id_leaves_its_folder() {
    for id in ["..", ".", "", "a/b", "../x", ".hidden", "a\0b", "Ünï", &"x".repeat(129)] {
        let files = CallFiles::new(Scenario::Session, id, "inv_1", 1, "../../call");
        let path = files.result();
        let segments: Vec<&str> = path.segments().collect();
        assert_eq!(segments.len(), 3, "{path}");
        assert_eq!(segments[1], short_hash(id), "{path}");
        assert!(!path.as_str().contains(".."), "{path}");
        let folders = CallFiles::folders(Scenario::Session, id, "inv_1");
        assert_eq!(
            folders.map(|folder| folder.as_str().to_owned()),
            ["tool-args/", "tool-results/"].map(|root| root.to_owned() + &short_hash(id))
        );
    }
}

#[test]
fn files_are_found_beside_the_arguments() {
    let files = CallFiles::new(Scenario::Session, &"r".repeat(128), "inv_1", u32::MAX, "call_9");
    assert_eq!(CallFiles::beside(&files.arguments().into()), Some(files));
    let none = [
        "",
        "tool-args/run_1/round-001.txt",
        "tool-args/round-001.json",
        "tool-args//round-001.json",
        "tool-args/run_1/.json",
        "tool-args/run_1/a/b.json",
        "tool-args/../a.json",
        "tool-args/run_1/...json",
        "tool-args/run_1/a\\b.json",
        "tool-args/run_1/a\0.json",
        "tool-results/run_1/round-001.json",
    ];
    for arguments in none {
        assert_eq!(CallFiles::beside(&arguments.into()), None, "{arguments}");
    }
    let long = format!("tool-args/run_1/{}.json", "x".repeat(129));
    assert_eq!(CallFiles::beside(&long.into()), None);
}

#[test]
fn images_are_known_by_their_bytes() {
    let cases: [(&[u8], &str, &str); 9] = [
        (b"\x89PNG\r\n\x1a\n....", "image/png", "png"),
        (b"\xff\xd8\xff\xe0", "image/jpeg", "jpg"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp", "webp"),
        (b"RIFF\0\0\0\0WAVE", "application/octet-stream", "bin"),
        (b"GIF89a", "image/gif", "gif"),
        (b"GIF87a", "image/gif", "gif"),
        (b"BM", "image/bmp", "bmp"),
        (b"<svg>", "application/octet-stream", "bin"),
        (b"", "application/octet-stream", "bin"),
    ];
    for (bytes, mime_type, extension) in cases {
        assert_eq!(image_kind(bytes), (mime_type, extension), "{bytes:?}");
    }
}
