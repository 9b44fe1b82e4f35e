"""Hudi's settings of a session that say which state of a table it reads."""


def incremental(table: str, **settings: str) -> dict[str, str]:
    """The settings of a session that reads a table incrementally."""
    given = {name.replace("_", "."): value for name, value in settings.items()}
    return {
        f"hoodie.{table}.consume.{name}": value for name, value in {"mode": "INCREMENTAL", **given}.items()
    }
