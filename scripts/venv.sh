#!/bin/sh
# Make .venv and install Vidence into it: "core" what a user needs, "dev" the tests' needs too.
# A stamp file is written last, so that a set-up that broke off is done again from the start.
set -eu
want=${1:?core or dev}
python=
for name in "${PYTHON:-}" python3 python3.14 python3.13 python3.12 python3.11 python; do
    if [ -n "$name" ] && "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
        python=$name
        break
    fi
done
if [ -z "$python" ]; then
    echo "Python 3.11 or newer is needed and was not found. Install it, or name it: make PYTHON=/path/to/python demo" >&2
    exit 1
fi
if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
    echo "== making .venv with $("$python" --version)"
    rm -rf .venv
    if ! "$python" -m venv .venv >/dev/null 2>&1; then
        # Debian's python3 has no ensurepip without python3-venv; its pip can install from outside.
        rm -rf .venv
        if ! { "$python" -m venv --without-pip .venv && "$python" -m pip --python .venv/bin/python install -q pip; } 2>/dev/null; then
            rm -rf .venv
            echo "$python cannot make virtual environments. Install its venv module (Debian: apt install python3-venv) and run make again." >&2
            exit 1
        fi
    fi
fi
case $want in
    core) spec=. ;;
    dev) spec='.[dev]' ;;
    *) echo "core or dev, not '$want'" >&2; exit 2 ;;
esac
# The core set-up never strips a dev one: both are installed editable and additive.
echo "== installing vidence ($want); the first time takes a minute or two"
.venv/bin/python -m pip install -q --disable-pip-version-check -c constraints.txt -e "$spec"
touch ".venv/$want.stamp"
if [ "$want" = dev ]; then touch .venv/core.stamp; fi
