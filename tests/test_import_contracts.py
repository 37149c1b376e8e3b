"""Each rule about who may import whom is broken by a planted breach, and by nothing else."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

BREACHES = {
    "The rules know only the model and the errors": (
        "bot/ratings/cif.py",
        "import bot.ledger.games",
    ),
    "The ledger knows no use case, the use cases no Discord": (
        "bot/ledger/players.py",
        "import bot.services.acting",
    ),
    "Discord is spoken to at the edge alone": ("bot/services/open_game.py", "import discord"),
    "The sandbox knows nothing of Parlour": ("bot/sandbox/world.py", "import bot.model"),
    "Cogs call services and the display, never the ledger or the rules, nor each other": (
        "cogs/reports.py",
        "import bot.ledger.games",
    ),
    "Cogs do not know each other": ("cogs/reports.py", "import cogs.ratings"),
    "The application knows its cogs by name alone": ("bot/logs.py", "import cogs.ratings"),
}


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for name in ("bot", "cogs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def broken_contracts(folder: Path) -> str:
    """Return the names of the contracts that a tree breaks, as import-linter writes them."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "from importlinter.cli import lint_imports_command; lint_imports_command()",
            "--no-cache",
        ],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "COLUMNS": "300"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in {0, 1}, done.stdout + done.stderr
    kept = {
        " ".join(line.removesuffix(" KEPT").split())
        for line in done.stdout.splitlines()
        if line.endswith(" KEPT")
    }
    return ", ".join(sorted(set(BREACHES) - kept))


def test_the_tree_as_it_is_breaks_none(copy: Path) -> None:
    assert broken_contracts(copy) == ""


@pytest.mark.parametrize("contract", BREACHES)
def test_a_breach_breaks_its_contract(copy: Path, contract: str) -> None:
    name, statement = BREACHES[contract]
    with (copy / name).open("a", encoding="utf-8") as file:
        file.write(f"\n{statement}\n")

    assert contract in broken_contracts(copy)
