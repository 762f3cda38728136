//! Plays a kernel that lacks some protections, to test what still holds on one: `older_kernel LACKS PROGRAM
//! ARGUMENT...` starts the program with the system calls of those protections failing as on such a kernel. LACKS is a
//! list of `seccomp`, `landlock`, `capabilities`, `dumpable`, `session` and `death-signal`, separated by commas.

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
fn main() {
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule,
    };
    use std::collections::BTreeMap;
    use std::os::unix::process::CommandExt;

    let mut arguments = std::env::args_os().skip(1);
    let lacks = arguments.next().expect("what the kernel lacks");
    let program = arguments.next().expect("a program");
    let option = |option: libc::c_int| {
        let option = option.unsigned_abs().into();
        let named = SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, option);
        SeccompRule::new(vec![named.expect("a condition")]).expect("a rule")
    };
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for lack in lacks.to_str().expect("names").split(',') {
        match lack {
            "" => {}
            "seccomp" => {
                rules.insert(libc::SYS_seccomp, Vec::new());
            }
            "landlock" => {
                rules.insert(libc::SYS_landlock_create_ruleset, Vec::new());
            }
            "capabilities" => {
                rules.insert(libc::SYS_capset, Vec::new());
            }
            "session" => {
                rules.insert(libc::SYS_setsid, Vec::new());
            }
            "dumpable" => {
                rules.entry(libc::SYS_prctl).or_default().push(option(libc::PR_SET_DUMPABLE));
            }
            "death-signal" => {
                rules.entry(libc::SYS_prctl).or_default().push(option(libc::PR_SET_PDEATHSIG));
            }
            other => panic!("{other} is no protection"),
        }
    }
    if !rules.is_empty() {
        let refuse = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
        let architecture = std::env::consts::ARCH.try_into().expect("an architecture with filters");
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refuse, architecture);
        let filter: BpfProgram =
            filter.and_then(TryInto::try_into).expect("a filter that can be compiled");
        seccompiler::apply_filter(&filter).expect("a kernel with filters");
    }
    let error = std::process::Command::new(program).args(arguments).exec();
    panic!("the program cannot be started: {error}");
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn main() {}
