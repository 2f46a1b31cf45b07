"""Programs whose use is to change something, so that a refusal can say so."""

from planact.shell.table import rows

MUTATING = rows(
    """
rm, rmdir, unlink, shred, mv, cp, install, ln, link, mkdir, mkfifo, mknod, mktemp, touch, truncate, dd, fallocate,
    tee, split, csplit,
    sponge, patch, chmod, chown, chgrp, chattr, setfacl, setfattr, rename, sync, kill, pkill, killall, renice,
    reboot, shutdown,
    halt, poweroff, umount, swapoff, mkfs, fdisk, parted, insmod, rmmod, modprobe, useradd, userdel, usermod,
    groupadd, passwd, chpasswd,
    visudo, at, batch, wall, write, zip, compress, cpio, npm install, npm i, npm ci, npm update, npm uninstall,
    npm publish, npm link,
    npm init, npm config set, npm pkg set, npm audit fix, pip install, pip uninstall, pip download, pip wheel, uv
    add, uv sync, uv lock,
    uv remove, uv pip install, uv pip uninstall, uv pip sync, poetry add, poetry install, poetry lock, poetry
    remove, poetry update, cargo add, cargo install, cargo update,
    cargo fix, cargo publish, cargo fetch, cargo generate-lockfile, cargo clean, cargo new, cargo init, go get, go
    install, go mod tidy,
    go mod download, go mod init, go mod vendor, yarn add, yarn install, yarn remove, pnpm add, pnpm install, pnpm
    i, pnpm remove, gem install, gem uninstall, bundle install, bundle update,
    brew install, brew uninstall, brew upgrade, brew update, apt install, apt remove, apt update, apt upgrade, apt
    purge, apt-get install, apt-get remove, apt-get update, apt-get upgrade,
    apt-get purge, systemctl start, systemctl stop, systemctl restart, systemctl reload, systemctl enable,
    systemctl disable, systemctl mask, systemctl daemon-reload, systemctl edit: mutates none |
""",
)
