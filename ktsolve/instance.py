"""Instance files: TOML that names a model, gives its parameters and, often, the answer to expect.

The format is described in docs/instances.md. Errors name the file, the key, and what was expected there.
"""

from __future__ import annotations

import importlib
import importlib.util
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from ktsolve.errors import BadInput
from ktsolve.models import Built
from ktsolve.problem.parameters import check_keys

__all__ = ["Expectation", "Instance", "load_instance", "shipped_instances", "shipped_models"]


@dataclass(frozen=True)
class Expectation:
    """The answer that an instance file expects.

    Attributes
    ----------
    status:
        ``found`` or ``impossible``.
    count:
        Number of (undirected) solutions.
    """

    status: str | None = None
    count: int | None = None


@dataclass(frozen=True)
class Instance:
    """A loaded instance file."""

    path: str
    title: str
    source: str
    model_name: str
    built: Built
    expect: Expectation = field(default_factory=Expectation)


def _load_model(name: str, folder: Path) -> Callable[[Mapping[str, Any]], Built]:
    if name.endswith(".py"):
        path = folder / name
        if not path.is_file():
            raise BadInput(f"model: there is no file {name} beside the instance")
        spec = importlib.util.spec_from_file_location(f"ktsolve_user_model_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    elif name in shipped_models():
        module = importlib.import_module(f"ktsolve.models.{name}")
    else:
        raise BadInput(
            f"model {name!r} is unknown: use {', '.join(shipped_models())}, or the name of a .py file beside the instance"
        )
    build = getattr(module, "build", None)
    if not callable(build):
        raise BadInput(f"model {name} has no function build(parameters)")
    return build  # type: ignore[no-any-return]


def shipped_models() -> list[str]:
    """Names of the models that come with ktsolve."""
    folder = resources.files("ktsolve.models")
    names = (item.name for item in folder.iterdir())
    return sorted(name[:-3] for name in names if name.endswith(".py") and not name.startswith("_"))


def shipped_instances() -> list[str]:
    """Paths of the instance files that come with ktsolve, sorted."""
    folder = resources.files("ktsolve.instances")
    return sorted(str(item) for item in folder.iterdir() if item.name.endswith(".toml"))


def load_instance(path: str | Path) -> Instance:
    """Load and validate an instance file, and build its model.

    A bare name such as ``closed-6x6`` or ``closed-6x6.toml`` that is no file here means the shipped instance.

    Raises
    ------
    BadInput
        If the file cannot be read or is not a valid instance; the message names file and key.

    Examples
    --------
    >>> load_instance("closed-6x6").expect.count
    9862
    """
    file = _find(str(path))
    try:
        with open(file, "rb") as stream:
            table = tomllib.load(stream)
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not TOML: {error}") from None
    except RecursionError:
        raise BadInput(f"{path}: not TOML: nested too deeply") from None
    try:
        return _from_table(table, file)
    except BadInput as error:
        raise BadInput(f"{path}: {error}") from None


def _find(path: str) -> Path:
    file = Path(path)
    if not file.exists() and file.name == path:
        shipped = {Path(p).stem: Path(p) for p in shipped_instances()}
        return shipped.get(path.removesuffix(".toml"), file)
    return file


def _from_table(table: Mapping[str, Any], file: Path) -> Instance:
    check_keys(
        table, {"model": str, "title": str, "source": str, "parameters": dict, "expect": dict}, ""
    )
    for key in ("model", "parameters"):
        if key not in table:
            raise BadInput(f"{key} is missing")
    build = _load_model(table["model"], file.parent)
    built = build(table["parameters"])
    if not isinstance(built, Built):
        raise BadInput(f"model {table['model']}: build must return a ktsolve.models.Built")
    return Instance(
        path=str(file),
        title=table.get("title", file.stem),
        source=table.get("source", ""),
        model_name=table["model"],
        built=built,
        expect=_expectation(table.get("expect", {})),
    )


def _expectation(table: Mapping[str, Any]) -> Expectation:
    check_keys(table, {"status": str, "count": (int, str)}, "expect")
    status, count = table.get("status"), table.get("count")
    if status not in (None, "found", "impossible"):
        raise BadInput(f'expect.status must be "found" or "impossible", not {status!r:.40}')
    if isinstance(count, str):
        if not (count.isascii() and count.isdigit()):
            raise BadInput(f"expect.count must be a whole number, not {count!r:.40}")
        count = int(count)
    if count is not None and count < 0:
        raise BadInput(f"expect.count must be a whole number, not {count}")
    if count is not None and status is not None and (count == 0) != (status == "impossible"):
        raise BadInput(f"expect.count = {count} contradicts expect.status = {status!r}")
    if status is None and count is not None:
        status = "found" if count else "impossible"
    return Expectation(status, count)
