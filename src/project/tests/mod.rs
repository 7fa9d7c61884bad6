mod endings;
mod extension;
mod files;
mod long;
mod record;
mod shell;
mod truncate;
