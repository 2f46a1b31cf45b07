//! Tells Zed how planact's server is started; everything else is Zed's own.
use zed_extension_api as zed;

struct Planact;

impl zed::Extension for Planact {
    fn new() -> Self {
        Self
    }

    fn language_server_command(
        &mut self,
        _server: &zed::LanguageServerId,
        worktree: &zed::Worktree,
    ) -> zed::Result<zed::Command> {
        let command = worktree.which("planact").ok_or(
            "there is no program planact on your PATH; the README of planact says how to get it",
        )?;
        Ok(zed::Command {
            command,
            args: vec!["serve".into()],
            env: worktree.shell_env(),
        })
    }
}

zed::register_extension!(Planact);
