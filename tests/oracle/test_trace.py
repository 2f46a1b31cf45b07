"""What counts as more than reading, by the lines of strace: an attempt does, and a call of which half is seen."""

import pytest

from tests.oracle.trace import Bounds, offences, programs

BOUNDS = Bounds("/w", "/home/h")


@pytest.mark.parametrize(
    "trace",
    [
        'openat(AT_FDCWD</w>, "y", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</w/y>',
        'openat(AT_FDCWD</w>, "y", O_WRONLY|O_CREAT|O_TRUNC, 0666) = -1 EROFS (Read-only file system)',
        'openat(5</w/src>, "y", O_RDWR) = 3</w/src/y>',
        'open("/home/h/../x", O_RDWR) = -1 ENOENT (No such file or directory)',
        'openat2(AT_FDCWD</w>, "y", {flags=O_RDWR, resolve=0}, 24) = 3</w/y>',
        'openat(AT_FDCWD</w>, "fifo", O_WRONLY <unfinished ...>',
        'openat(AT_FDCWD</w>, "fifo", O_WRONLY|O_CREAT|O_TRUNC, 0666 <detached ...>',
        'openat(AT_FDCWD</home/h>, "link", O_WRONLY) = 3</w/y>',
        'creat("/w/y", 0666) = 3</w/y>',
        'unlink("y") = 0',
        'unlinkat(4</w/src>, "y", 0) = 0',
        'renameat2(AT_FDCWD</home/h>, "a", AT_FDCWD</w>, "b", RENAME_NOREPLACE) = 0',
        'linkat(AT_FDCWD</w>, "a", AT_FDCWD</home/h>, "b", 0) = 0',
        'symlink("/home/h/x", "/w/l") = 0',
        'mkdir("/tmp/x", 0777) = 0',
        'mkdir("/w/src", 0777) = -1 EEXIST (File exists)',
        "fchmod(3</w/y>, 0600) = 0",
        "ftruncate(3</w/y>, 0) = 0",
        "utimensat(1</w/y>, NULL, NULL, 0) = 0",
        'setxattr("/w/y", "user.x", "1", 1, 0) = 0',
        'execve("./git", ["./git"], 0x1 /* 3 vars */) = 0',
        'execve("/w/bin/ls", ["ls"], 0x1 /* 3 vars */) = -1 EACCES (Permission denied)',
        'execveat(3</w/prog.sh>, "", ["x"], 0x1 /* 3 vars */, AT_EMPTY_PATH) = 0',
        'connect(3<TCP:[1]>, {sa_family=AF_INET, sin_port=htons(9), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 X',
        'connect(3<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path="/var/run/docker.sock"}, 110) = -1 ENOENT',
        'connect(3<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path=@"x"}, 110) = 0',
        'sendto(3<UDP:[1]>, "x", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("1.1.1.1")}, 16) = 1',
        "sendto(3<NETLINK:[1]>, [{nlmsg_len=32, nlmsg_type=RTM_NEWLINK}], 32, 0, {sa_family=AF_NETLINK}, 12) = 32",
        'bind(3<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path="s"}, 110) = 0',
        "listen(3<TCP:[127.0.0.1:9]>, 1) = 0",
        'mount("a", "/mnt", "tmpfs", 0, NULL) = -1 EPERM (Operation not permitted)',
        'unlink("a, \\"b\\" (c") = 0',
    ],
)
def test_more_than_reading_is_found(trace: str) -> None:
    assert len(offences(f"7  {trace}\n", BOUNDS)) == 1


@pytest.mark.parametrize(
    "trace",
    [
        'openat(AT_FDCWD</w>, "y", O_RDONLY|O_CLOEXEC) = 3</w/y>',
        'openat(AT_FDCWD</w>, "/dev/null", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</dev/null<char 1:3>>',
        'openat(AT_FDCWD</w>, "/dev/tty", O_RDWR|O_NONBLOCK) = -1 ENXIO (No such device or address)',
        'openat(AT_FDCWD</w>, "/dev/stdout", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3<pipe:[12]>',
        'openat(AT_FDCWD</w>, "/home/h/x", O_RDWR|O_CREAT, 0600) = 3</home/h/x>',
        'mkdir("/home/h/.cache", 0777) = 0',
        'mkdir("/w", 0777) = -1 EEXIST (File exists)',
        "syscall_0xfffffffffffffffe(0x1, 0xc000473f48) = ?",
        "ftruncate(3</memfd:x>(deleted), 9) = 0",
        'openat(AT_FDCWD</w>, "/proc/self/task/8/comm", O_RDWR) = 3</proc/7/task/8/comm>',
        'execve("/usr/bin/ls", ["ls"], 0x1 /* 3 vars */) = 0',
        'connect(3<UNIX-STREAM:[1]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT',
        "bind(3<NETLINK:[1]>, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 0",
        "bind(3<TCPv6:[1]>, {sa_family=AF_INET6, sin6_port=htons(0)}, 28) = 0",
        "sendto(3<NETLINK:[1]>, [{nlmsg_len=20, nlmsg_type=RTM_GETADDR}], 20, 0, {sa_family=AF_NETLINK}, 12) = 20",
        'sendto(3<UNIX-STREAM:[1->2]>, "x", 1, 0, NULL, 0) = 1',
    ],
)
def test_reading_is_none(trace: str) -> None:
    assert offences(f"7  {trace}\n", BOUNDS) == []


def test_a_name_is_taken_from_the_folder_that_its_process_is_in() -> None:
    trace = """
7  chdir("/home/h")                  = 0
7  vfork( <unfinished ...>
8  unlink("mine")                    = 0
8  chdir("/w")                       = 0
8  unlink("yours")                   = 0
7  <... vfork resumed>)              = 8
7  unlink("mine too")                = 0
"""
    assert offences(trace, BOUNDS) == ['unlink("yours") = 0']


def test_a_call_is_whole_when_it_is_resumed() -> None:
    trace = """
7  openat(AT_FDCWD</w>, "y", O_WRONLY|O_CREAT <unfinished ...>
8  openat(AT_FDCWD</w>, "x", O_RDONLY) = 3</w/x>
7  <... openat resumed>, 0666)       = 4</w/y>
7  +++ exited with 0 +++
"""
    assert offences(trace, BOUNDS) == ['openat(AT_FDCWD</w>, "y", O_WRONLY|O_CREAT, 0666) = 4</w/y>']


def test_programs_are_those_that_came_to_run() -> None:
    trace = """
7  execve("/usr/bin/ls", ["ls"], 0x1 /* 3 vars */) = 0
8  execve("/usr/local/bin/cat", ["cat"], 0x1 /* 3 vars */) = -1 ENOENT (No such file or directory)
8  execve("/usr/bin/cat", ["cat"], 0x1 /* 3 vars */) = 0
"""
    assert programs(trace) == {"ls", "cat"}
