//! Further names of collections.

use std::sync::PoisonError;

use super::{ALIASES, Aliases, Collections, LONGEST_NAME, check_name, write_whole};
use crate::access::Access;
use crate::problem::Problem;
use crate::problem_kind::ProblemKind;

impl Collections {
    /// Refuses a name that is an alias.
    pub(super) fn check_no_alias(&self, name: &str) -> Result<(), Problem> {
        match self.aliases.read().unwrap_or_else(PoisonError::into_inner).get(name) {
            None => Ok(()),
            Some(of) => {
                let detail = format!("{name} is an alias of the collection {of}");
                Err(Problem::new(ProblemKind::AliasConflict, detail))
            }
        }
    }

    /// All aliases of which somebody may use both the name and the collection, with the names of their collections.
    pub(crate) fn aliases(&self, access: &Access) -> Vec<(String, String)> {
        let aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner);
        let covered = aliases.iter();
        let covered = covered.filter(|(alias, name)| access.covers(alias) && access.covers(name));
        covered.map(|(alias, name)| (alias.clone(), name.clone())).collect()
    }

    /// Lets an alias name a collection from now on; returns whether the alias is new.
    pub(crate) fn set_alias(
        &self,
        access: &Access,
        alias: &str,
        name: &str,
    ) -> Result<bool, Problem> {
        check_name(alias)?;
        access.check_collection(alias)?;
        access.check_collection(name)?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        let all = self.all.read().unwrap_or_else(PoisonError::into_inner);
        if all.contains_key(alias) {
            let detail = format!("there is a collection {alias}");
            return Err(Problem::new(ProblemKind::AliasConflict, detail));
        }
        if !all.contains_key(name) {
            drop(all);
            // An alias of an alias would be another one tomorrow.
            let shown: String = name.chars().take(LONGEST_NAME).collect();
            let detail = format!("there is no collection {}", shown.escape_debug());
            return Err(Problem::new(ProblemKind::UnknownCollection, detail));
        }
        drop(all);
        self.change_aliases(|aliases| aliases.insert(alias.to_owned(), name.to_owned()).is_none())
    }

    /// Removes an alias; its collection stays.
    pub(crate) fn remove_alias(&self, access: &Access, alias: &str) -> Result<(), Problem> {
        access.check_collection(alias)?;
        let _changing = self.changing.lock().unwrap_or_else(PoisonError::into_inner);
        if self.change_aliases(|aliases| aliases.remove(alias).is_some())? {
            return Ok(());
        }
        let shown: String = alias.chars().take(LONGEST_NAME).collect();
        let detail = format!("there is no alias {}", shown.escape_debug());
        Err(Problem::new(ProblemKind::UnknownCollection, detail))
    }

    /// Changes the aliases, on the disk before anybody sees it.
    fn change_aliases<T>(&self, change: impl FnOnce(&mut Aliases) -> T) -> Result<T, Problem> {
        let mut aliases = self.aliases.read().unwrap_or_else(PoisonError::into_inner).clone();
        let changed = change(&mut aliases);
        let bytes = serde_json::to_vec(&aliases).unwrap_or_default();
        write_whole(&self.directory, ALIASES, &bytes)?;
        *self.aliases.write().unwrap_or_else(PoisonError::into_inner) = aliases;
        Ok(changed)
    }
}
