"""Densities for the kappa paradox panel (models.md §8)."""

import numpy as np

from tapdesk.fitting.posterior import Curve, Surface
from tapdesk.fitting.quadrature.marginal import Cloud, marginal
from tapdesk.fitting.quadrature.parts import Part, Sharing
from tapdesk.fitting.quadrature.summary import curve
from tapdesk.models.parameters import ParameterName

_CELLS = 50


def guess_minus_truth(sharing: Sharing, parts: tuple[Part, ...]) -> Curve | None:
    """Density of p - t between -1 and 1; None where the model has two p."""
    found = [sharing.difference(part) for part in parts]
    clouds = [cloud for cloud in found if cloud is not None]
    if not clouds:
        return None
    half = curve(marginal(Cloud.together(clouds)))
    return Curve(2 * half.x - 1, half.density / 2)


def joint_accuracies(sharing: Sharing, parts: tuple[Part, ...]) -> Surface | None:
    """Density of (a1, a0) on even cells; None where the model has one accuracy."""
    found = [sharing.joint(part, _CELLS) for part in parts]
    tables = [table for table in found if table is not None]
    if not tables:
        return None
    edges = np.linspace(0.0, 1.0, _CELLS + 1)
    mass = np.sum(tables, axis=0)
    return Surface(ParameterName("a1"), ParameterName("a0"), edges, edges, mass / mass.sum() * _CELLS**2)
