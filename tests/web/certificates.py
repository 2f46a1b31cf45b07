"""Certificates by an authority of the tests' own."""

import subprocess
from pathlib import Path


class Authority:
    """Signs certificates; `file` is its own. Both in `folder`."""

    def __init__(self, folder: Path, name: str = "authority") -> None:
        self._folder = folder
        self.file = folder / f"{name}.pem"
        self._key = folder / f"{name}.key"
        extensions = ("-addext", "basicConstraints=critical,CA:true", "-addext", "keyUsage=critical,keyCertSign")
        self._openssl("req", "-x509", *self._new(self._key, name), *extensions, "-out", self.file)

    def certificate(self, host: str) -> Path:
        """Return a file with a certificate for a host, and its key."""
        both, key, request = (self._folder / f"{host}{end}" for end in (".pem", ".key", ".csr"))
        extensions = self._folder / f"{host}.cnf"
        extensions.write_text(f"subjectAltName=DNS:{host}\nbasicConstraints=CA:false\nextendedKeyUsage=serverAuth\n")
        self._openssl("req", *self._new(key, host), "-out", request)
        signed = ("-CA", self.file, "-CAkey", self._key, "-CAcreateserial", "-extfile", extensions)
        self._openssl("x509", "-req", "-in", request, *signed, "-out", both)
        both.write_text(f"{both.read_text()}{key.read_text()}")
        return both

    def _new(self, key: Path, name: str) -> tuple[str | Path, ...]:
        curve = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")
        return (*curve, "-noenc", "-keyout", key, "-subj", f"/CN={name}")

    def _openssl(self, *words: str | Path) -> None:
        subprocess.run(("openssl", *words), check=True, capture_output=True, timeout=180)
