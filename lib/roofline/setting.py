"""What is held fixed?  A named set of values, where no model is deployed."""

from dataclasses import dataclass

from roofline import symbols
from roofline.facts import TABLES, FactError, facts_of, usable
from roofline.text import Text, escaped
from roofline.units import near


@dataclass(frozen=True, eq=False)
class Setting:
    """Values of symbols under one label: for a call, or as a preset.

    ``values`` maps names of symbols to quantities.
    """

    label: str
    values: dict

    def __repr__(self):
        listed = ", ".join(f"{n} = {v}" for n, v in self.values.items())
        return f"{self.label}: {listed}"

    def but(self, label=None, /, **changes):
        """The same setting with values changed or added."""
        for name in changes:
            if name not in symbols.SYMBOLS:
                raise LookupError(
                    f'no symbol "{name}"{near(name, symbols.SYMBOLS)}'
                )
        return Setting(label or self.label, self.values | changes)

    def show(self):
        """Each value with the meaning of its symbol and its source."""
        lines = ["| symbol | value | meaning | from |", "| :-- " * 4 + "|"]
        for name, value in self.values.items():
            s = symbols.SYMBOLS[name]
            source = getattr(value, "source", "")
            cited = f"{{cite:t}}`{source}`" if source else "chosen"
            shown = escaped(str(value))
            lines.append(f"| ${s.latex}$ | {shown} | {s.says} | {cited} |")
        return Text("\n".join(lines), repr(self))


def setting(name):
    """The facts of one table as a Setting: ``setting("hoffmann_2022")``."""
    if name not in TABLES:
        raise FactError(f'no table "{name}"{near(name, TABLES)}')
    known = {
        key: usable(f)
        for key, f in facts_of(name).items()
        if key in symbols.SYMBOLS
    }
    return Setting(TABLES[name]["label"], known)
