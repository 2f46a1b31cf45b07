"""Names, routes and plain pages of the network."""

from planact.shell.table import rows

NETWORK = rows(
    """
dig: net free check=dig word* |
host: net check=address word word | -t: -a -v -4 -6 -W: -R:
nslookup: net check=address word word | -type= -query= -debug -timeout= -port=
ping, ping6: net word | -c: -W: -i: -s: -n -q -4 -6 -t: -w:
traceroute, tracepath, mtr: net word | -n -m: -w: -q: -4 -6 -r -c: --report -b
whois: net check=address word | -h:
curl: net fetches check=curl word | -s --silent -S --show-error -L --location -I --head -i --include -f --fail
    --fail-with-body
    -v --verbose -m: --max-time= --max-time: --connect-timeout= --connect-timeout: --compressed -4 -6 --ipv4
    --ipv6 --http1.1 --http2 -N --no-buffer --retry= --retry:
    -G --get -# --progress-bar --no-progress-meter --max-redirs= --tlsv1.2 --tlsv1.3 -g --globoff
wget: net fetches check=wget word | -q --quiet -O:(-) --output-document=(-) -S --server-response --spider -T:
    --timeout= -t: --tries= -nv --no-verbose -qO:(-)
http, https, xh: net fetches check=curl word | -h --headers -b --body -v --verbose -p: --print= --follow -F
    --timeout= --pretty=
""",
)
