"""Parameters written by hand, such as ``t=.1,.2,.3,.4`` and ``a[J3]=.7``, as arrays (cli.md, "simulate")."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from tapdesk.errors import UsageError
from tapdesk.language import gettext as _
from tapdesk.models.model import Accuracy, Cases, Guessing, Ordered, RaterModel, Truth
from tapdesk.models.parameters import FloatArray, Parameters

_SUM_SLACK = 1e-6
_SPREADS = {Cases.HARD: "h", Cases.ACCURACY: "rho", Cases.MISLEADING: "rho", Cases.DIFFICULTY: "sigma"}


@dataclass(frozen=True, slots=True)
class _Given:
    """One assignment: name, what stands in brackets, numbers, and the text itself for messages."""

    name: str
    inside: tuple[str, ...]
    values: tuple[float, ...]
    text: str


def parse_parameters(
    model: RaterModel,
    texts: Sequence[str],
    classes: Sequence[str],
    raters: Sequence[str],
    groups: Sequence[str] = (),
) -> Parameters:
    """Parameters of a model from assignments.

    ``t`` and ``p`` are one number per class, or for two classes the rate of class 1; ``a`` is one number, for a model
    with an accuracy per rater or per class also one number for each. Brackets single out a rater or a true class
    (``a[J3]=.7``, ``p[J2]=.2,.8``, ``pi[gold, J1]=...``), in any order of the assignments. For two classes ``a0``,
    ``a1``, ``p0``, ``p1`` are by true class. A regression takes ``b=intercept,slope,...``; models of cases that differ
    ``h``, ``rho`` or ``sigma``, near misses ``n``, ordered classes ``d`` and ``tau`` (``tau[J2]=-1,2``). Where a part
    differs by group its name goes in brackets (``t[north]=.2``, ``a[J1, north]=.7``); of raters who rate cases again
    ``m`` is how often an answer is a copy of the one before.

    Parameters
    ----------
    model
        Which parameters there are.
    texts
        The assignments.
    classes, raters, groups
        Their names, in order.

    Raises
    ------
    UsageError
        When an assignment cannot be read, does not belong to the model, is missing, or is no probability.
    """
    given = [_read(text) for text in texts]
    for i, one in enumerate(given):
        if any((one.name, one.inside) == (other.name, other.inside) for other in given[:i]):
            raise UsageError(
                _("'{name}' is given twice.").format(name=one.text.partition("=")[0].strip()), fix=_("Give it once.")
            )
    # What is said of one rater stands above what is said of all, whichever came first.
    given.sort(key=lambda g: len(g.inside))
    reader = _Reader(model, tuple(classes), tuple(raters), given, tuple(groups))
    return reader.parameters()


def _read(text: str) -> _Given:
    head, equals, tail = text.partition("=")
    name, bracket, rest = head.strip().partition("[")
    if not equals or not name.strip() or (bracket and not rest.rstrip().endswith("]")):
        raise UsageError(
            _("'{text}' is not an assignment.").format(text=text), fix=_("Write for example t=.1,.2,.7 or a[J3]=.7.")
        )
    inside = tuple(part.strip() for part in rest.rstrip()[:-1].split(",")) if bracket else ()
    try:
        values = tuple(float(part) for part in tail.split(","))
    except ValueError:
        raise UsageError(
            _("'{tail}' in '{text}' holds something that is not a number.").format(tail=tail.strip(), text=text),
            fix=_("Write decimals with a point and separate them by commas, for example t=.1,.2,.7."),
        ) from None
    if not np.isfinite(values).all():
        raise UsageError(
            _("'{text}' holds a number that is not finite.").format(text=text), fix=_("Write plain numbers.")
        )
    return _Given(name.strip(), inside, values, text)


@dataclass(frozen=True)
class _Reader:
    """The assignments of one model, read part by part."""

    model: RaterModel
    classes: tuple[str, ...]
    raters: tuple[str, ...]
    given: Sequence[_Given]
    groups: tuple[str, ...] = ()

    def parameters(self) -> Parameters:
        if len(self.classes) < 2:
            raise UsageError(_("There must be at least two classes."), fix=_("Name them with --classes A,B."))
        if self.model.truth is Truth.SHARPENED:
            raise UsageError(
                _("{Ratings} cannot be simulated from {name}, whose {subjects} have no true class.").format(
                    name=self.model.name
                ),
                fix=_("Simulate from t-aj-p."),
            )
        known = self._known()
        for g in self.given:
            if g.name not in known:
                names = ", ".join(known)
                raise UsageError(
                    _("The model {name} has no parameter '{symbol}' to be given.").format(
                        name=self.model.name, symbol=g.name
                    ),
                    where=g.text,
                    fix=_("It takes: {names}.").format(names=names),
                )
        truth = self._truth()
        if self.model.ordered is not Ordered.NONE:
            return self._of_ordered(truth)
        slopes = np.array(self._one("b").values) if self.model.accuracy is Accuracy.REGRESSION else np.zeros(0)
        return Parameters(truth, self._accuracy(slopes), self._guessing(truth), slopes, self._spread())

    def _known(self) -> tuple[str, ...]:
        """Names of the parameters that can be given."""
        names = [] if self.model.truth is Truth.UNIFORM else ["t"]
        two = len(self.classes) == 2
        if self.model.ordered is not Ordered.NONE:
            return (*names, "d", "tau")
        if self.model.accuracy is Accuracy.REGRESSION:
            names.append("b")
        elif self.model.accuracy is Accuracy.NONE:
            names.append("pi")
        else:
            names.append("a")
            names += ["a0", "a1"] if two and self.model.accuracy is Accuracy.PER_CLASS else []
        if self.model.guessing.free and self.model.accuracy is not Accuracy.NONE:
            names.append("p")
            names += ["p0", "p1"] if two and self.model.guessing is Guessing.PER_CLASS else []
        return (*names, *filter(None, [self._spread_name]))

    @property
    def _spread_name(self) -> str:
        """What cases differ by, or misses lie next to the truth by; empty where neither is."""
        if self.model.memory:
            return "m"
        return "n" if self.model.near else _SPREADS.get(self.model.cases, "")

    def _spread(self) -> FloatArray:
        """How much cases differ, as a share of the largest that can be told; of memory one for each rater."""
        name = self._spread_name
        if name == "m":
            return self._shares(name, [(rater,) for rater in self.raters])
        if not name:
            return np.zeros(0)
        g = self._one(name)
        if name != "sigma":
            return np.array([self._number(g)])
        from tapdesk.models.difficulty import MOST_SIGMA  # start-up cost: few panels are made so

        if len(g.values) != 1 or not 0 <= g.values[0] <= MOST_SIGMA:
            raise UsageError(_("sigma is one number from 0 to {most:g}.").format(most=MOST_SIGMA), where=g.text)
        return np.array([g.values[0] / MOST_SIGMA])

    def _of_ordered(self, truth: FloatArray) -> Parameters:
        """Discriminations ``d`` and cut points ``tau``, of all raters or in brackets of one."""
        from tapdesk.models.ordered import OrderedRates  # start-up cost, as above

        alike = self.model.ordered is Ordered.ALIKE
        rates = OrderedRates(self.model.ordered, 1 if alike else len(self.raters), len(self.classes))
        own = (self.model.ordered.own_discrimination, self.model.ordered.own_cut_points)
        d = self._numbers("d", 1, self.raters if own[0] else ())
        tau = self._numbers("tau", len(self.classes) - 1, self.raters if own[1] else ())
        if (np.diff(tau, axis=1) <= 0).any():
            raise UsageError(
                _("The lines between the classes must rise."), fix=_("Give them from the lowest to the highest.")
            )
        slopes = rates.joined(d.reshape(1, -1), tau[None])
        return Parameters(truth, np.zeros((1, 1)), rates.rates(slopes)[0], slopes[0])

    def _numbers(self, name: str, size: int, names: Sequence[str]) -> FloatArray:
        """Shape (raters or 1, size): numbers of all raters, those in brackets of one."""
        values = np.full((max(len(names), 1), size), np.nan)
        for g in self.given:
            if g.name != name:
                continue
            if len(g.values) == size:
                values[self._place(g, names) if g.inside else slice(None)] = g.values
            elif size == 1 and len(g.values) == len(names) and not g.inside:
                values[:, 0] = g.values
            else:
                raise UsageError(
                    _("The number of values for {name} is {count}, not {size}.").format(
                        name=name, count=len(g.values), size=size
                    ),
                    where=g.text,
                )
        self._complete(values, name, lambda at: names[at[0]] if names else "")
        return values

    def _one(self, name: str) -> _Given:
        """The only assignment of a name, which must be there and without brackets."""
        items = [g for g in self.given if g.name == name]
        if not items:
            raise self._missing(name)
        if items[-1].inside:
            raise UsageError(
                _("'{name}' is the same for all here.").format(name=name),
                where=items[-1].text,
                fix=_("Write {name}=... only.").format(name=name),
            )
        return items[-1]

    def _missing(self, what: str) -> UsageError:
        return UsageError(
            _("The model {name} needs {what}.").format(name=self.model.name, what=what),
            fix=_("Add --param {name}=....").format(name=what.partition("[")[0]),
        )

    def _truth(self) -> FloatArray:
        k = len(self.classes)
        if not self.model.truth.by_group:
            return np.full(k, 1 / k) if self.model.truth is Truth.UNIFORM else self._rates(self._one("t"))
        values = np.full((len(self.groups), k), np.nan)
        for g in self.given:
            if g.name == "t":
                values[self._place(g, self.groups) if g.inside else slice(None)] = self._rates(g)
        self._complete(values, "t", lambda at: self.groups[at[0]])
        return values

    def _rates(self, g: _Given) -> FloatArray:
        """One vector of rates; for two classes one number is the rate of class 1."""
        values = np.array(g.values)
        if (values < 0).any() or (values > 1).any():
            raise UsageError(_("Rates lie between 0 and 1."), where=g.text)
        if values.size == 1 and len(self.classes) == 2:
            return np.array([1 - values[0], values[0]])
        if values.size != len(self.classes):
            raise UsageError(
                _("There are {count} classes ({classes}), and the number of rates is {size}.").format(
                    count=len(self.classes), classes=", ".join(self.classes), size=values.size
                ),
                where=g.text,
                fix=_("Give one rate for each class, in their order."),
            )
        if abs(values.sum() - 1) > _SUM_SLACK:
            raise UsageError(
                _("These rates sum to {total:g}, not to 1.").format(total=values.sum()),
                where=g.text,
                fix=_("Change them so that they do."),
            )
        return np.asarray(values / values.sum())

    def _accuracy(self, slopes: FloatArray) -> FloatArray:
        from scipy.special import expit  # late: slow to load

        kind = self.model.accuracy
        if kind is Accuracy.NONE:
            return np.zeros((1, 1))
        if kind is Accuracy.REGRESSION:
            # What it is where every covariate is 0; each rater's own follows from the covariates.
            return np.asarray(expit(slopes[:1]).reshape(1, 1))
        if kind.by_group:
            whose = [(rater, group) for rater in self.raters for group in self.groups]
            return self._shares("a", whose if kind.by_rater else [(group,) for group in self.groups])[:, None]
        names = self.raters if kind.by_rater else self.classes if kind.by_class else ()
        values = np.full(max(len(names), 1), np.nan)
        for g in self.given:
            if g.name in {"a0", "a1"}:
                values[int(g.name[1])] = self._number(g)
            elif g.name == "a":
                self._assign(values, names, g)
        if np.isnan(values).any():
            at = int(np.argmax(np.isnan(values)))
            raise self._missing(f"a[{names[at]}]" if names else "a")
        return values[:, None] if kind.by_rater else values[None]

    def _shares(self, name: str, whose: Sequence[tuple[str, ...]]) -> FloatArray:
        """Shape (units,): a share of each unit, which brackets name by rater, group or both."""
        values = np.full(len(whose), np.nan)
        for g in self.given:
            if g.name != name:
                continue
            own = [i for i, unit in enumerate(whose) if set(g.inside) <= set(unit)]
            if not own:
                self._place(g, [", ".join(unit) for unit in whose])
            if len(g.values) not in {1, len(own)}:
                raise UsageError(
                    _("The number of values for {name} is {count}, not {size}.").format(
                        name=name, count=len(g.values), size=len(own)
                    ),
                    where=g.text,
                )
            values[own] = [self._number(replace(g, values=(value,))) for value in g.values]
        self._complete(values[:, None], name, lambda at: ", ".join(whose[at[0]]))
        return values

    def _assign(self, values: FloatArray, names: Sequence[str], g: _Given) -> None:
        if g.inside:
            values[self._place(g, names)] = self._number(g)
        elif len(g.values) == 1:
            values[:] = self._number(g)
        elif len(g.values) == len(names):
            if min(g.values) < 0 or max(g.values) > 1:
                raise UsageError(_("An accuracy lies between 0 and 1."), where=g.text)
            values[:] = g.values
        else:
            sentence = _("one or {count} numbers").format(count=len(names)) if names else _("one number")
            raise UsageError(
                _("The model {name} takes {told} for a.").format(name=self.model.name, told=sentence), where=g.text
            )

    def _number(self, g: _Given) -> float:
        if len(g.values) != 1:
            raise UsageError(_("One number is wanted here."), where=g.text)
        if not 0 <= g.values[0] <= 1:
            raise UsageError(_("A probability lies between 0 and 1."), where=g.text)
        return g.values[0]

    def _place(self, g: _Given, names: Sequence[str]) -> int:
        if len(g.inside) == 1 and g.inside[0] in names:
            return names.index(g.inside[0])
        if not names:
            raise UsageError(
                _("In the model {name} '{symbol}' is shared by all {raters} and classes.").format(
                    name=self.model.name, symbol=g.name
                ),
                where=g.text,
                fix=_("Write {name}=... without brackets, or choose another model.").format(name=g.name),
            )
        raise UsageError(
            _("There is no '{inside}' here.").format(inside=", ".join(g.inside)),
            where=g.text,
            fix=_("In brackets goes one of: {names}.").format(names=_some(names)),
        )

    def _guessing(self, truth: FloatArray) -> FloatArray:
        kind, k = self.model.guessing, len(self.classes)
        # What a rater sees are ratings of these true rates: the observed ones are theirs.
        held = kind.held(truth, truth)
        if held is not None:
            return held.reshape(1, 1, k).copy()
        if kind is Guessing.PER_RATER_AND_CLASS:
            return self._matrices()
        by_unit = kind.by_rater or kind.by_group
        names = self.groups if kind.by_group else self.raters if kind.by_rater else self.classes
        names = names if by_unit or kind.by_class else ()
        values = np.full((max(len(names), 1), k), np.nan)
        for g in self.given:
            if g.name in {"p0", "p1"}:
                values[int(g.name[1])] = self._rates(g)
            elif g.name == "p" and g.inside:
                values[self._place(g, names)] = self._rates(g)
            elif g.name == "p":
                values[:] = self._rates(g)
        self._complete(values, "p", lambda at: names[at[0]] if names else "")
        return values[:, None] if by_unit else values[None]

    def _matrices(self) -> FloatArray:
        """The tables of a Dawid-Skene model: ``pi[true]`` for all raters, ``pi[true, rater]`` for one."""
        k = len(self.classes)
        values = np.full((len(self.raters), k, k), np.nan)
        for g in self.given:
            if g.name != "pi":
                continue
            if not g.inside or len(g.inside) > 2 or g.inside[0] not in self.classes:
                raise UsageError(
                    _("The true class must be named in brackets."),
                    where=g.text,
                    fix=_("Write pi[{classes}]=... for all {raters}, or pi[{classes}, RATER]=... for one.").format(
                        classes=self.classes[0]
                    ),
                )
            true = self.classes.index(g.inside[0])
            if len(g.inside) == 2:
                rater = self._place(_Given("pi", g.inside[1:], g.values, g.text), self.raters)
                values[rater, true] = self._rates(g)
            else:
                values[:, true] = self._rates(g)
        self._complete(values, "pi", lambda at: f"{self.classes[at[1]]}, {self.raters[at[0]]}")
        return values

    def _complete(self, values: FloatArray, name: str, words: Callable[[tuple[int, ...]], str]) -> None:
        """Refuse when some vector of rates was never given."""
        lacking = np.argwhere(np.isnan(values[..., 0]))
        if lacking.size:
            inside = words(tuple(int(i) for i in lacking[0]))
            raise self._missing(f"{name}[{inside}]" if inside else name)


def _some(names: Sequence[str]) -> str:
    """Names for a message, not more than a dozen."""
    return ", ".join(names[:12]) + (", ..." if len(names) > 12 else "")
