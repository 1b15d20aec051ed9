#!/bin/sh
# Prints the path of a Python that can run the set-up: 3.11 to 3.14, with venv and ensurepip.
# A name on PATH proves little (pyenv shims, Debian's python3 without venv), so each one is run.
# PYTHON=/path/to/python overrides the search.
set -u

tried=""
probe='import sys
version = "%d.%d" % sys.version_info[:2]
if not (3, 11) <= sys.version_info[:2] <= (3, 14):
    sys.exit("is Python %s" % version)
try:
    import ensurepip, venv
except ImportError as error:
    sys.exit("is Python %s without the module %s" % (version, error.name))'

for name in ${PYTHON:-python3.14 python3.13 python3.12 python3.11 python3 python}; do
    path=$(command -v "$name" 2>/dev/null) || continue
    if answer=$("$path" -c "$probe" 2>&1); then
        printf '%s\n' "$path"
        exit 0
    fi
    tried="$tried
  $path: $(printf '%s\n' "$answer" | head -n 1)"
done

{
    echo "Set-up stopped: no suitable Python was found."
    echo "Needed: Python 3.11, 3.12, 3.13 or 3.14 with its modules venv and ensurepip."
    if [ -n "$tried" ]; then
        echo "Tried:$tried"
    else
        echo "Tried: ${PYTHON:-python3.14, python3.13, python3.12, python3.11, python3, python}; none is on PATH."
    fi
    case "$tried" in
        *"without the module"*)
            echo "Cure: install the missing part (Debian, Ubuntu: apt install python3-venv), then run make again." ;;
        *)
            echo "Cure: install one (Debian, Ubuntu: apt install python3 python3-venv), then run make again," ;;
    esac
    echo "or name another interpreter: make PYTHON=/path/to/python3.12 ..."
} >&2
exit 1
