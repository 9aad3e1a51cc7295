"""The catalog of pictures of studies: each made from the table of the study of the same name."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MappingProxyType

from tapdesk.report.figures import designs as figures_plan
from tapdesk.report.figures import models as figures_groups
from tapdesk.report.figures import papers as figures_papers
from tapdesk.report.figures import papers_data as figures_papers_data
from tapdesk.report.figures import papers_density as figures_papers_density
from tapdesk.report.figures import papers_panel as figures_papers_panel
from tapdesk.report.svg.sheet import Sheet
from tapdesk.studies.table import Table


def _told_of(draw: Callable[[Table], Sheet]) -> Callable[[Table], Sheet]:
    """The picture, its note begun with what the table is of."""

    def drawn(table: Table) -> Sheet:
        sheet = draw(table)
        return replace(sheet, note=f"{table.size} {sheet.note}".strip())

    return drawn


SHEETS: Mapping[str, Callable[[Table], Sheet]] = MappingProxyType(
    {
        name: _told_of(draw)
        for name, draw in {
            "recovery": figures_papers.recovery,
            "kappa": figures_papers.kappas,
            "rater-accuracies": figures_papers.rater_accuracies,
            "subject-probabilities": figures_papers.subject_probabilities,
            "rater-histogram": figures_papers_panel.rater_histogram,
            "low-rater": figures_papers_panel.low_rater,
            "tree": figures_papers_data.tree,
            "negative-kappa": figures_papers_panel.negative,
            "distribution": figures_papers_data.distribution,
            "pairs": figures_papers_data.pairs,
            "paradox": figures_papers_density.paradox,
            "accuracy-by-age": figures_papers.by_age,
            "densities": figures_papers_density.both_models,
            "third-reading": figures_papers_density.third_reading,
            "joint": figures_papers_density.joint,
            "label-switching": figures_papers_density.switching,
            "krits": figures_papers_panel.krits,
            "four-classes": figures_papers_panel.four_classes,
            "kappa-by-classes": figures_papers_panel.kappa_by_classes,
            "cohen": figures_papers_data.cohen,
        }.items()
    }
)

# The pictures of the other studies of the command line.
STUDY_SHEETS: Mapping[str, Callable[[Table], Sheet]] = MappingProxyType(
    {
        name: _told_of(draw)
        for name, draw in {
            "recovery-grid": figures_papers.recovery,
            "recovery": figures_papers_panel.four_classes,
            "kappa": figures_papers.kappas,
            "plan": figures_plan.sheet,
            "groups": figures_groups.sheet,
        }.items()
    }
)
