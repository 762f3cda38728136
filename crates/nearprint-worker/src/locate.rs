//! Where the worker executable is when nobody says.

use std::env::{self, consts::EXE_SUFFIX};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use crate::start_error::StartError;

/// Variable that names the executable where neither place has one.
const VARIABLE: &str = "NEARPRINT_WORKER";

/// Finds the worker executable, `nearprint-worker`: beside the running program, where the command and the wheel
/// have it; else in the folders of `PATH`; else at the path that the variable `NEARPRINT_WORKER` names.
///
/// # Errors
///
/// [`StartError::NotFound`] with the places looked at. Whether what was found can run and is of this release
/// shows when it is started.
pub fn locate() -> Result<PathBuf, StartError> {
    let program = env::current_exe().ok();
    search(
        program.as_deref().and_then(Path::parent),
        env::var_os("PATH").as_deref(),
        env::var_os(VARIABLE).as_deref(),
    )
}

fn search(
    beside: Option<&Path>,
    path: Option<&OsStr>,
    variable: Option<&OsStr>,
) -> Result<PathBuf, StartError> {
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
    match variable {
        Some(file) if !file.is_empty() => Ok(PathBuf::from(file)),
        _ => Err(StartError::NotFound { looked_at }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beside_then_path_then_variable() {
        let root = env::temp_dir().join(format!("nearprint-locate-{}", std::process::id()));
        let (beside, on_path) = (root.join("beside"), root.join("path"));
        let file = |folder: &Path| folder.join(format!("nearprint-worker{EXE_SUFFIX}"));
        for folder in [&beside, &on_path] {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(file(folder), "").unwrap();
        }
        let path = env::join_paths([PathBuf::from("relative"), on_path.clone()]).unwrap();
        let variable = OsStr::new("/somewhere/else");
        let found = |beside, path, variable| search(beside, path, variable);
        assert_eq!(found(Some(&beside), Some(&path), Some(variable)).unwrap(), file(&beside));
        assert_eq!(found(Some(&root), Some(&path), Some(variable)).unwrap(), file(&on_path));
        assert_eq!(found(Some(&root), None, Some(variable)).unwrap(), Path::new(variable));
        let error = found(Some(&root), None, None).unwrap_err();
        assert!(error.to_string().contains(&file(&root).display().to_string()), "{error}");
        assert!(error.to_string().contains(VARIABLE), "{error}");
        assert!(found(None, None, Some(OsStr::new(""))).is_err());
        std::fs::remove_dir_all(root).unwrap();
    }
}
