#!/bin/sh
# Make a virtual environment with the locked packages: setup.sh PYTHON FOLDER
set -eu
python=$1
folder=$2

# Debian splits the venv module off; without it a new machine cannot make an environment.
if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    echo "Installing python3-venv, which this machine lacks."
    if [ "$(id -u)" -eq 0 ]; then
        apt-get update -q && apt-get install -qy python3-venv
    else
        sudo apt-get update -q && sudo apt-get install -qy python3-venv
    fi
fi

"$python" -m venv "$folder"
# The lock is complete: looking for dependencies, older pips stumble over an extra of a package
# (coverage[toml]) as soon as that has a newer release.
"$folder/bin/python" -m pip install --quiet --no-deps --require-hashes -r requirements/dev.txt
"$folder/bin/python" -m pip install --quiet --no-deps --editable .
"$folder/bin/python" -m pip check
