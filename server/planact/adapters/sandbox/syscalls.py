"""Numbers of system calls, which every machine counts in its own way, and what the filter makes of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Treatment = Literal["never", "change", "absent", "looked-at", "own"]
"""How a call is treated.

`never`: for no command. It concerns the machine, its mounts, namespaces, clocks, modules and keys, or is a way around
the other checks: files by handle, descriptors and memory of others, calls by way of a ring.
`change`: for no command that may write nothing. Landlock doesn't see it (modes, owners, times and attributes of files),
or it outlives the process or reaches into another.
`absent`: its arguments can't be seen; answered "not there", upon which programs use the older call.
`looked-at`: depends on its arguments. `own`: called by the jail itself.
"""

NEWEST_CALL = 469
"""What came after it isn't known here. From 424 on all machines count alike."""

# x86-64, aarch64
_CALLS: Mapping[str, tuple[int | None, int | None, Treatment]] = {
    "acct": (163, 89, "never"),
    "add_key": (248, 217, "never"),
    "adjtimex": (159, 171, "never"),
    "bpf": (321, 280, "never"),
    "capget": (125, 90, "own"),
    "capset": (126, 91, "own"),
    "chmod": (90, None, "change"),
    "chown": (92, None, "change"),
    "chroot": (161, 51, "never"),
    "clock_adjtime": (305, 266, "never"),
    "clock_settime": (227, 112, "never"),
    "clone": (56, 220, "looked-at"),
    "clone3": (435, 435, "absent"),
    "connect": (42, 203, "looked-at"),
    "delete_module": (176, 106, "never"),
    "fanotify_init": (300, 262, "never"),
    "fchmod": (91, 52, "change"),
    "fchmodat": (268, 53, "change"),
    "fchmodat2": (452, 452, "change"),
    "fchown": (93, 55, "change"),
    "fchownat": (260, 54, "change"),
    "fcntl": (72, 25, "looked-at"),
    "file_setattr": (469, 469, "change"),
    "finit_module": (313, 273, "never"),
    "fremovexattr": (199, 16, "change"),
    "fsconfig": (431, 431, "never"),
    "fsetxattr": (190, 7, "change"),
    "fsmount": (432, 432, "never"),
    "fsopen": (430, 430, "never"),
    "fspick": (433, 433, "never"),
    "futimesat": (261, None, "change"),
    "init_module": (175, 105, "never"),
    "io_uring_enter": (426, 426, "never"),
    "io_uring_register": (427, 427, "never"),
    "io_uring_setup": (425, 425, "never"),
    "ioctl": (16, 29, "looked-at"),
    "ioperm": (173, None, "never"),
    "iopl": (172, None, "never"),
    "ioprio_set": (251, 30, "looked-at"),
    "kexec_file_load": (320, 294, "never"),
    "kexec_load": (246, 104, "never"),
    "keyctl": (250, 219, "never"),
    "kill": (62, 129, "looked-at"),
    "lchown": (94, None, "change"),
    "lremovexattr": (198, 15, "change"),
    "lsetxattr": (189, 6, "change"),
    "lsm_set_self_attr": (460, 460, "never"),
    "migrate_pages": (256, 238, "never"),
    "mount": (165, 40, "never"),
    "mount_setattr": (442, 442, "never"),
    "move_mount": (429, 429, "never"),
    "move_pages": (279, 239, "never"),
    "mq_open": (240, 180, "change"),
    "mq_unlink": (241, 181, "change"),
    "msgctl": (71, 187, "change"),
    "msgget": (68, 186, "change"),
    "msgrcv": (70, 188, "change"),
    "msgsnd": (69, 189, "change"),
    "open": (2, None, "looked-at"),
    "open_by_handle_at": (304, 265, "never"),
    "open_tree": (428, 428, "never"),
    "open_tree_attr": (467, 467, "never"),
    "openat": (257, 56, "looked-at"),
    "openat2": (437, 437, "looked-at"),
    "perf_event_open": (298, 241, "never"),
    "pidfd_getfd": (438, 438, "never"),
    "pidfd_send_signal": (424, 424, "absent"),
    "pivot_root": (155, 41, "never"),
    "prlimit64": (302, 261, "looked-at"),
    "process_madvise": (440, 440, "never"),
    "process_mrelease": (448, 448, "never"),
    "process_vm_readv": (310, 270, "change"),
    "process_vm_writev": (311, 271, "change"),
    "ptrace": (101, 117, "change"),
    "quotactl": (179, 60, "never"),
    "quotactl_fd": (443, 443, "never"),
    "reboot": (169, 142, "never"),
    "removexattr": (197, 14, "change"),
    "removexattrat": (466, 466, "change"),
    "request_key": (249, 218, "never"),
    "rt_sigqueueinfo": (129, 138, "looked-at"),
    "rt_tgsigqueueinfo": (297, 240, "looked-at"),
    "sched_setaffinity": (203, 122, "looked-at"),
    "sched_setattr": (314, 274, "looked-at"),
    "sched_setparam": (142, 118, "looked-at"),
    "sched_setscheduler": (144, 119, "looked-at"),
    "seccomp": (317, 277, "own"),
    "semctl": (66, 191, "change"),
    "semget": (64, 190, "change"),
    "semop": (65, 193, "change"),
    "semtimedop": (220, 192, "change"),
    "setdomainname": (171, 162, "never"),
    "sethostname": (170, 161, "never"),
    "setns": (308, 268, "never"),
    "setpriority": (141, 140, "looked-at"),
    "settimeofday": (164, 170, "never"),
    "setxattr": (188, 5, "change"),
    "setxattrat": (463, 463, "change"),
    "shmat": (30, 196, "change"),
    "shmctl": (31, 195, "change"),
    "shmget": (29, 194, "change"),
    "socket": (41, 198, "looked-at"),
    "socketpair": (53, 199, "looked-at"),
    "swapoff": (168, 225, "never"),
    "swapon": (167, 224, "never"),
    "tgkill": (234, 131, "looked-at"),
    "tkill": (200, 130, "looked-at"),
    "truncate": (76, 45, "looked-at"),
    "umount2": (166, 39, "never"),
    "unshare": (272, 97, "never"),
    "userfaultfd": (323, 282, "never"),
    "utime": (132, None, "change"),
    "utimensat": (280, 88, "change"),
    "utimes": (235, None, "change"),
    "vhangup": (153, 58, "never"),
}


@dataclass(frozen=True, slots=True)
class Machine:
    """A kind of processor; `audit` is how filters name it."""

    audit: int
    numbers: Mapping[str, int]

    def all(self, treatment: Treatment) -> list[int]:
        """The numbers of all calls to be treated so."""
        return [number for name, number in self.numbers.items() if _CALLS[name][2] == treatment]


MACHINES: Mapping[str, Machine] = {
    "x86_64": Machine(0xC000003E, {name: row[0] for name, row in _CALLS.items() if row[0] is not None}),
    "aarch64": Machine(0xC00000B7, {name: row[1] for name, row in _CALLS.items() if row[1] is not None}),
}
"""By the name that `platform.machine` gives."""
