"""What columns, sheets and raters are called that hold answers known beforehand, in six languages."""

import re
from collections.abc import Sequence

from tapdesk.language import gettext as _
from tapdesk.ratings.vocabulary import RATING, words

# What a column of answers known beforehand is called, and what else may stand in such a name.
_KNOWN_WORDS = _(
    "gold goldstandard gt key truth true groundtruth target expert reference label correct actual referenz "
    "referenzstandard goldstandardwert wahrheit lösung musterlösung vérité référence verdad referencia verità "
    "riferimento waarheid referentie gabarito referência verdade étalon corrigé corretto corretta correta correto "
    "correcta correcto correcte richtig richtige richtiger sollwert lösungsschlüssel antwortschlüssel clave chiave "
    "solución soluzione solução oro ouro juste bonne bekannt schlüssel"
)
_KNOWN = frozenset(_KNOWN_WORDS.split())
_BESIDE_KNOWN_WORDS = (
    "ground standard class answer answers y value final the column of s known patrón estándar padrão de diagnóstico "
    "antwort antworten respuesta resposta risposta réponse la le el"
)
_BESIDE_KNOWN = frozenset(_BESIDE_KNOWN_WORDS.split()) | RATING


def is_known_answer(name: str, others: Sequence[str]) -> bool:
    """Whether a column is called like known answers: ``gold``, ``y_true``; ``Expert 1`` beside ``Expert 2`` is not."""
    own = words(name)
    if not _KNOWN.intersection(own) or not set(own) <= _KNOWN | _BESIDE_KNOWN or re.search(r"\d", name):
        return False
    # A stem that several columns share is what raters are called.
    return not any(set(own) <= set(words(other)) for other in others if other != name)
