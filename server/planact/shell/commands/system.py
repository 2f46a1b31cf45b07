"""What the machine tells about itself: processes, users, devices, services, packages, network settings."""

from planact.shell.table import rows

SYSTEM = rows(
    """
ps: free check=ps word* |
pgrep: word* | -a --list-full -l --list-name -f --full -x --exact -u: --euid= -U: -c --count -n --newest -o
    --oldest -v -i -P: -t: -d:
pidof: word* | -s -x -c
pstree: word* | -a -c -h -l -n -p -u -A -U -s -t -T
top: none | -b -n: -p: -u: -o: -c -H -1 -w: -d: -l: -s: -i -e: -E:
htop, btop, glances: none | --version
uptime, free, vmstat, iostat, mpstat, nproc, lsb_release, getconf, sw_vers: word* | -a -b -k -m -g -h -l -s
    -t -w -p -c: -S: -d -D -x -y -n -V --human --si --mega --giga --total --wide --all --pretty --since --ignore=
    -i -r --short -productVersion
    -productName -buildVersion --kilo --lohi
uname, arch: none | -a --all -s --kernel-name -n --nodename -r --kernel-release -v --kernel-version -m --machine
    -p --processor -i
    --hardware-platform -o --operating-system
hostname: none | -f --fqdn -s --short -i --ip-address -I --all-ip-addresses -d --domain -A --long -y
hostnamectl, hostnamectl status: none | --static --pretty --transient --json=
timedatectl, timedatectl status, timedatectl show, timedatectl list-timezones: none | --no-pager -a --all -p:
    --property= --value
localectl, localectl status, localectl list-locales: none | --no-pager
loginctl, loginctl list-sessions, loginctl list-users: none | --no-pager --no-legend
whoami, logname, tty, groups, users: word* | -s
id: word* | -u --user -g --group -G --groups -n --name -r --real -a -Z -z --zero
who, w: none | -a --all -b --boot -H --heading -q --count -u --users -m -r -s -T -h -i -f --lookup -d
last, lastlog, lastb: word* | -# -n: -a -d -F -i -w -x -R -u: -t: -s:
getent passwd, getent group, getent hosts, getent services, getent protocols, getent ahosts, getent networks: word* |
locale: word* | -a --all-locales -m --charmaps -c --category-name -k --keyword-name
lsof: path* | -i? -n -P -p: -u: -c: -t -l -U -a -d: -s? +D:p +d:p -F? -b -w -N
fuser: path* | -v -a -u
netstat, ss: word* | -a --all -n --numeric -t --tcp -u --udp -l --listening -p --processes -r --route -i
    --interfaces -s
    --statistics --summary -e --extended -o --options -4 -6 -x --unix -w --raw -m --memory -H --no-header -g -c -v
    -W --wide -O -f: -L -d
ip addr, ip address, ip a, ip link, ip l, ip route, ip r, ip neigh, ip n, ip rule, ip maddr: none |
ip addr show, ip address show, ip a show, ip link show, ip route show, ip r show, ip neigh show, ip rule show, ip
    addr list, ip addr ls,
    ip link list, ip link ls, ip route list, ip route ls, ip route get, ip a s, ip netns list, ip rule list, ip
    neigh list: word* |
ip: none | -4 -6 -br -brief -s -stats -statistics -d -details -j -json -p -pretty -o -oneline -c -color -N -V -r
    -h -human
ifconfig, iwconfig: none | -a -s -v
route, arp: none | -n -a -e -v
ethtool: word | -i -k -S -a -g
iptables, ip6tables: none | -L -n -v --line-numbers -S --list --list-rules
sysctl: check=sysctl word* | -a --all -n --values -N --names -e --ignore -b
dmesg: none | -H --human -T --ctime -k --kernel -u --userspace -l: --level= -f: --facility= -x --decode -L?
    --color? -P
    --nopager -t --notime -r --raw -J --json --since= --until= -e --reltime
mount: none | -l -v -t: -h --version
swapon: none | -s --show? --summary --noheadings --bytes
systemctl: none | @sys
systemctl status, systemctl show, systemctl cat, systemctl list-units, systemctl list-unit-files, systemctl
    list-timers,
    systemctl list-sockets, systemctl list-dependencies, systemctl list-jobs, systemctl is-active, systemctl
    is-enabled,
    systemctl is-failed, systemctl is-system-running, systemctl get-default, systemctl show-environment,
    systemctl list-machines, systemctl list-paths: word* | @sys
journalctl: word* | -u: --unit= --user-unit= -n: --lines= -# --no-pager -f --follow -e --pager-end -r --reverse
    -o: --output= -x
    --catalog -b? --boot? -k --dmesg -p: --priority= -g: --grep= --case-sensitive? -S: --since= -U: --until= -q
    --quiet -t:
    --identifier= --list-boots --disk-usage --no-hostname --no-full --utc -a --all -m --merge --system --user -N
    --fields
    -F: --field= --header --output-fields= --no-tail --verify
resolvectl status, resolvectl dns: word* | --no-pager
crontab: check=listing none | -l -u:
atq: none |
launchctl list: word* |
defaults read: word* |
system_profiler: word* | -json -xml -detailLevel: -listDataTypes
scutil: none | --dns --proxy --nwi
csrutil status: none |
ioreg: word* | -l -w: -r -c: -n: -p: -b
vm_stat: none |
dpkg: word* | -l --list -L --listfiles -s --status -S --search -p --print-avail --print-architecture
    --get-selections -V --verify
    --print-foreign-architectures --version -C --audit --compare-versions
dpkg-query: word* | -l --list -L --listfiles -s --status -S --search -W --show -f: --showformat= -p
dpkg-deb: path* | -c --contents -I --info -f --field -W --show
apt list, apt show, apt search, apt policy, apt depends, apt rdepends, apt-cache search, apt-cache show, apt-cache
    policy,
    apt-cache depends, apt-cache rdepends, apt-cache showpkg, apt-cache madison, apt-cache stats, apt-cache
    pkgnames: word* | --installed --upgradable -a --all-versions
    -n --names-only -f --full -i --important --no-recommends --recurse -q
apt-mark showmanual, apt-mark showauto, apt-mark showhold: word* |
apt-file search, apt-file list: word* | -x -l -F
apt, apt-get, aptitude: none | --version -v
rpm: check=query word* | -q --query -qa -a --all -i --info -l --list -f:p --file=p -R --requires --provides -c
    --configfiles -d --docfiles -p --changelog --whatprovides
    --whatrequires -V --verify --version --queryformat= --qf= --last -s --scripts
dnf list, dnf info, dnf search, dnf repolist, dnf provides, dnf repoquery, dnf history list, dnf history info, yum
    list, yum info, yum search, yum repolist, yum provides: word* | -q -C --cacheonly --installed --available
    --all
pacman: check=query word* | -Q -Qi -Ql -Qs -Qo -Qe -Qm -Qdt -Qk -q -i -l -s -o -e -m
apk info, apk list, apk search, apk policy, apk version: word* | -a -e -L -I -v -d -s -w -i --installed
brew: none | --version -v --prefix --cellar --repository
brew list, brew info, brew search, brew deps, brew uses, brew leaves, brew outdated, brew config, brew desc, brew
    tap-info, brew services list: word* | --versions --json? --formula --cask -1 -l -q --installed --tree --prefix
    -v --version
snap list, snap info, snap version, snap find: word* | --all --verbose
flatpak list, flatpak info: word* | --app --runtime --columns= -d
port installed, port list, port info: word* |
nix-env: none | -q --query --installed --version
update-alternatives: word | --list --display --query --get-selections
alternatives: word | --list --display
""",
    {
        "sys": """
            --no-pager -l --full --user --system -t: --type= --state= -a --all -n: --lines= -o: --output= -p:
            --property= --value --no-legend --plain --failed -q --quiet --reverse --recursive --version
        """,
    },
)
