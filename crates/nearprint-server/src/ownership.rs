//! Who may read what the server writes: its owner alone.

/// From now on, files and directories that this process makes are for its owner alone (0600 and 0700), wherever they
/// lie. For programs that serve, before they make anything; what is there keeps its permissions.
#[cfg(unix)]
pub fn keep_files_private() {
    use rustix::fs::Mode;
    rustix::process::umask(Mode::RWXG | Mode::RWXO);
}

/// Other systems give files the permissions of their directory.
#[cfg(not(unix))]
pub fn keep_files_private() {}
