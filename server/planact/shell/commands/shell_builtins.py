"""What the shell itself does, and programs that run another one."""

from planact.shell.table import rows

SHELL_BUILTINS = rows(
    """
cd: plain path | -L -P
read: check=read word* | -r -s -e -d: -n: -N: -p: -t: -u:
set: none | -e -u -o:(pipefail,errexit,nounset)
type: any word* | -a -t -p -P -f
which: any word* | -a -s
whereis: word* | -b -m -s -u -l
command: posix check=command word* | -v -V -p
time: posix check=wrapper word* | -p -v -f:
nice: posix check=wrapper word* | -n: --adjustment= -#
stdbuf: posix check=wrapper word* | -i: -o: -e: --input= --output= --error=
timeout: posix check=timeout word* | -k: --kill-after= -s: --signal= --foreground --preserve-status -v --verbose
env: posix check=env word* | -0 --null
xargs: posix check=xargs word* | -0 --null -r --no-run-if-empty -n: --max-args= -P: --max-procs= -L: -I: -d:
    --delimiter= -t --verbose -s: --max-chars= -x --exit -E:
find: free check=find word* |
gfind: free check=find word* |
exit, return, break, continue: word |
shift, wait, jobs, times: none |
umask: none | -S -p
ulimit: none | -a -n -u -s -H -S -c -f -v -t
help: word* | -d -m -s
history: none |
shopt: none | -p
hash: none |
alias: none |
printenv: any word* | -0 --null
""",
)
