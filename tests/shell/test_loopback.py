"""Pages of servers of this machine, such as one that the agent has started: which lines ask nothing else."""

import pytest

from tests.shell.judged import classify


@pytest.mark.parametrize(
    ("line", "servers"),
    [
        ("curl localhost", ["localhost:80"]),
        ("curl -s localhost:8000", ["localhost:8000"]),
        ("curl -i http://localhost:8000/", ["localhost:8000"]),
        ("curl -k https://localhost", ["localhost:443"]),
        ("curl https://127.0.0.1:8443/a", ["127.0.0.1:8443"]),
        ("curl -s -o /dev/null -w '%{http_code}\\n' 'http://localhost:8000/a?b=c'", ["localhost:8000"]),
        ("curl -sf --retry 20 --retry-connrefused --retry-delay 1 localhost:8000/health", ["localhost:8000"]),
        ("curl -s -D - -A agent localhost:8000", ["localhost:8000"]),
        ("curl -sS -X GET localhost:8000; curl localhost:8001/x", ["localhost:8000", "localhost:8001"]),
        ("curl -H 'Accept: application/json' localhost:8000/api | head -5", ["localhost:8000"]),
        ("curl -sG localhost:8000/a -d b=c --data-urlencode 'q=a @b' --data-raw @c", ["localhost:8000"]),
        ("curl -s --get --data-urlencode '=x' localhost:8000 | head -5", ["localhost:8000"]),
        ("for i in 1 2 3; do curl -sf localhost:8000 && break; sleep 1; done", ["localhost:8000"]),
    ],
)
def test_a_line_gets_pages_of_this_machine(line: str, servers: list[str]) -> None:
    found = classify(line)
    assert (found.cls, found.traits, sorted({*found.servers})) == ("net-read", {"loopback"}, servers)


@pytest.mark.parametrize(
    "line",
    [
        *(
            "curl -L localhost:8000",
            "curl --location localhost:8000",
            "curl -sL localhost:8000",
        ),  # it may lead anywhere
        *("curl 10.0.0.1:8000", "curl 128.0.0.1", "curl 127.0.0.999", "curl LOCALHOST", "curl localhost.:8000"),
        *("curl localhost.example.com", "curl 127.0.0.1.example.com", "curl http://localhost:8000/a@example.com"),
        *("curl http://localhost#@example.com", "curl 'http://localhost?@example.com'"),
        *("wget -qO- localhost:8000", "http localhost:8000"),  # they follow, or send what they read
    ],
)
def test_a_line_may_get_pages_of_others(line: str) -> None:
    assert classify(line).traits == {"fetches"}


@pytest.mark.parametrize(
    "line",
    [
        *("curl -X POST localhost:8000", "curl -X DELETE localhost:8000", "curl --request PUT localhost:8000"),
        *(
            "curl -d a=b localhost:8000",
            "curl -T f localhost:8000",
            "curl -o f localhost:8000",
            "curl -O localhost:8000/f",
        ),
        *("curl -w @f localhost:8000", "curl -w '%output{f}a' localhost:8000", "curl -w '%header{x}' localhost:8000"),
        *(
            "curl -H @f localhost:8000",
            "curl -D f localhost:8000",
            "curl -H 'X-HTTP-Method-Override: DELETE' localhost:8000",
        ),
        *(
            "curl -G -d @f localhost:8000",
            "curl -G --data-urlencode q@f localhost",
            "curl -G --data-urlencode q localhost",
        ),
        *(
            "curl --data-urlencode a=b localhost:8000",
            "curl -G -d '' localhost:8000",
            "curl -G --data-binary a localhost",
        ),
        *(
            "curl -G -d $X localhost:8000",
            'curl -G --data-urlencode "q=$(cat f)" localhost',
            "curl -G -F a=b localhost",
        ),
        *("curl -x h localhost:8000", "curl --resolve localhost:80:192.0.2.1 localhost", "curl -K f localhost"),
        *(
            "curl localhost:8000 localhost:8001",
            "curl 'localhost:[1-9]'",
            "curl localhost:$PORT",
            "curl http://u@localhost",
        ),
        *(
            "curl file://localhost/etc/passwd",
            "curl gopher://localhost:6379/_x",
            "curl --unix-socket /s http://localhost",
        ),
    ],
)
def test_what_may_do_more_than_get_a_page_is_unknown(line: str) -> None:
    assert classify(line).cls in ("unknown", "mutating")


def test_a_line_that_asks_others_too_may_do_both() -> None:
    assert classify("curl localhost:8000; curl h:8000").traits == {"loopback", "fetches"}
    assert classify("curl localhost:8000; git ls-remote origin").traits == {"loopback", "remote"}
