//! Where the worker executable is by default.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::start_error::StartError;

/// Variable that names the executable before all other places.
const VARIABLE: &str = "NEARPRINT_WORKER";

/// Finds the worker executable: at the path that the variable `NEARPRINT_WORKER` names; else as `nearprint-worker`
/// beside the running program; else by that name in the folders of `PATH`.
///
/// # Errors
///
/// [`StartError::NotFound`] with the places examined. Whether what was found can run and is of this release
/// shows when it is started.
pub fn locate() -> Result<PathBuf, StartError> {
    if let Some(executable) = named() {
        return Ok(executable);
    }
    let program = env::current_exe().ok();
    search(program.as_deref().and_then(Path::parent), env::var_os("PATH").as_deref())
}

/// The executable that the variable names, if it is set and not empty.
pub(crate) fn named() -> Option<PathBuf> {
    env::var_os(VARIABLE).filter(|file| !file.is_empty()).map(PathBuf::from)
}

fn search(beside: Option<&Path>, path: Option<&OsStr>) -> Result<PathBuf, StartError> {
    let name = format!("nearprint-worker{EXE_SUFFIX}");
    let mut looked_at = Vec::new();
    let folders = beside
        .map(Path::to_owned)
        .into_iter()
        .chain(path.into_iter().flat_map(env::split_paths))
        // An empty entry of PATH is the working folder, which may be full of downloads.
        .filter(|folder| folder.is_absolute());
    for folder in folders {
        let file = folder.join(&name);
        if file.is_file() {
            return Ok(file);
        }
        looked_at.push(file);
    }
    Err(StartError::NotFound { looked_at })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_then_path() {
        let root = env::temp_dir().join(format!("nearprint-locate-{}", std::process::id()));
        let (beside, on_path) = (root.join("beside"), root.join("path"));
        let file = |folder: &Path| folder.join(format!("nearprint-worker{EXE_SUFFIX}"));
        for folder in [&beside, &on_path] {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(file(folder), "").unwrap();
        }
        let path = env::join_paths([PathBuf::from("relative"), on_path.clone()]).unwrap();
        assert_eq!(search(Some(&beside), Some(&path)).unwrap(), file(&beside));
        assert_eq!(search(Some(&root), Some(&path)).unwrap(), file(&on_path));
        let error = search(Some(&root), None).unwrap_err();
        assert!(error.to_string().contains(&file(&root).display().to_string()), "{error}");
        assert!(error.to_string().contains(VARIABLE), "{error}");
        std::fs::remove_dir_all(root).unwrap();
    }
}
