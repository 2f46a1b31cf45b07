"""Which requests to a server of this machine one rule may cover: those that send what stands in their line alone."""

import pytest

from planact.shell.compare.similar_calls import similar_calls
from planact.shell.compare.without_filters import without_filters
from tests.shell.judged import classify


@pytest.mark.parametrize(
    "line",
    [
        "curl -X POST localhost:8000",
        "curl -s -X POST localhost:8000/items -H 'Content-Type: application/json' -d '{\"a\": [1, \"@b\"]}'",
        "curl -sX DELETE http://localhost:8000/items/1",
        "curl -sS -XPUT 'http://localhost:8000/a?b=c&d' --json '{}' -w '%{http_code}\\n' -o /dev/null",
        "curl --request PATCH --data-raw a=b --max-time 5 localhost:8000",
        "curl --data-urlencode 'a=@b c' -b 'session=1' -u ada:x localhost:8000",
        "curl -d a=b localhost:8000 2>&1 | head -5",
    ],
)
def test_requests_to_one_server_begin_alike(line: str) -> None:
    found = classify(line)
    assert (found.cls, found.traits - {"plain"}) == ("unknown", frozenset())
    assert similar_calls(without_filters(line)) == ("curl localhost:8000",)


@pytest.mark.parametrize(
    "line",
    [
        "curl -s localhost:8000/items | jq -r '.[0].name'",
        "sleep 2 && curl -s localhost:8000/health | jq .status",
        "sleep 0.5; curl -sf localhost:8000/health 2>/dev/null || echo 'not there yet'",
        "curl -s localhost:8000/a | head -3 && curl -s -X POST localhost:8000/b -d '{}' | grep -c id",
        "curl -s localhost:8000/a; echo; curl -s localhost:8000/b || true",
    ],
)
def test_a_line_of_requests_is_like_one(line: str) -> None:
    assert similar_calls(without_filters(line)) == ("curl localhost:8000",)


@pytest.mark.parametrize(
    "line",
    [
        "curl -s localhost:8000/a && curl -s localhost:8001/b",
        "curl -s localhost:8000/a && curl -s https://example.com",
        "curl -s localhost:8000/a | curl -s -d @- localhost:8000/b",
        "curl -s localhost:8000/a | jq env",
        "curl -s localhost:8000/a | jq '$ENV.TOKEN'",
        "curl -s localhost:8000/a | jq . secrets.json",
        "curl -s localhost:8000/a | jq -f program.jq",
        "curl -s localhost:8000/a | jq --slurpfile x f .",
        "curl -s localhost:8000/a | jq 'include \"x\"; .'",
        "curl -s localhost:8000/a | python3 -m json.tool",
        "curl -s localhost:8000/a | tee out",
        "curl -s localhost:8000/a; cat secrets.json",
        "sleep 2 && curl -s localhost:8000/a && npm test",
        "sleep infinity; curl -s localhost:8000/a",
        "cat secrets.json | curl -s -d @- localhost:8000/a",
        "echo $TOKEN; curl -s localhost:8000/a",
        "curl -s localhost:8000/a > out; sleep 1",
        "curl -s localhost:8000/a &",
        "sleep 1",
        "echo a | head -1",
    ],
)
def test_a_line_that_does_more_is_not(line: str) -> None:
    assert similar_calls(without_filters(line)) == ()


@pytest.mark.parametrize(
    "line",
    [
        *("curl -d @f localhost:8000", "curl -d@f localhost:8000", "curl --json @f localhost:8000"),
        *("curl --data-binary @f localhost:8000", "curl -H @f localhost:8000", "curl -F a=@f localhost:8000"),
        *("curl --data-urlencode a@f localhost:8000", "curl --data-urlencode @f localhost:8000", "curl -T f localhost"),
        *("curl -b f localhost:8000", "curl -c f localhost:8000", "curl -K f localhost:8000", "curl -n localhost:8000"),
        *("curl -X POST -L localhost:8000", "curl -X POST --location localhost:8000", "curl -X POST -x h localhost"),
        *("curl -X POST --resolve localhost:80:192.0.2.1 localhost", "curl -X POST --connect-to ::h: localhost"),
        *("curl -X POST --unix-socket /s localhost", "curl -X POST -o f localhost", "curl -X POST -O localhost/f"),
        *("curl -X POST -w @f localhost", "curl -X POST -w '%output{f}' localhost", "curl -X FOO localhost"),
        *("curl -X POST localhost:8000 localhost:8001", "curl -X POST localhost:8000 --next localhost:8001"),
        *("curl -X POST h:8000", "curl -X POST localhost.example.com", "curl -X POST http://a@localhost:8000"),
        *("curl -X POST localhost:8000@h", "curl -X POST 'localhost:[1-9]'", "curl -X POST localhost:$PORT"),
        *('curl -d "$(cat f)" localhost:8000', "curl -d $X localhost:8000", "curl -d a localhost:8000 > f"),
        *("curl -d a localhost:8000; rm f", "curl -d a localhost:8000 | sh", "A=1 curl -d a localhost:8000"),
        *("curl -X", "curl -d localhost:8000", "curl", "curl -d '' localhost:8000", "wget --post-data a localhost"),
    ],
)
def test_no_others_do(line: str) -> None:
    assert similar_calls(without_filters(line)) == ()
