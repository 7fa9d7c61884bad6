//! Wire value to arguments: decoding, lossless repair, the schema check, and the sentence for the model.

pub mod number;
