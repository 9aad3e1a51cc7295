"""Words that columns are headed by, in English and in the languages of our users' spreadsheets."""

import re
from collections.abc import Sequence
from functools import lru_cache


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


SUBJECT = _set(
    "subject subjects case cases patient patients item items wine essay task sample specimen image document id "
    "object unit slide entry film record student candidate person proband text work"
)
RATER = _set(
    "rater raters judge worker annotator coder reader observer reviewer auditor assessor examiner grader labeler "
    "labeller clinician pathologist radiologist juror panelist panellist taster anaesthetist anesthetist expert "
    "referee evaluator interviewer scorer marker user"
)
# Who works with a case, and so perhaps rates it; whether he does is told by what the rows hold.
RATER_PERHAPS = _set(
    "nurse nurses doctor dr physician surgeon consultant initials staff teacher tutor clerk technician abstractor "
    "screener inspector therapist dentist radiographer midwife specialist resident registrar gp vet appraiser "
    "adjudicator arbiter inspecteur tester sensory critic sommelier moderator examinator checker colleague team "
    "pfleger pflegerin krankenschwester lehrer lehrerin infirmier infirmière enfermera enfermero infermiere kürzel"
)
# What a name of persons or things is written with.
NAMING = _set("id no nr num number code name key nummer")
RATING = _set(
    "rating ratings label labels class score grade category medal diagnosis response answer value judgement "
    "judgment result decision verdict annotation stage mark opinion"
)
QUESTION = _set("question criterion criteria aspect attribute dimension indicator measure")
ROUND = _set("round phase wave session visit occasion timepoint")
# What tells repeats of the same question apart.
AGAIN = _set("repeat repeats repetition replicate replication attempt run trial reading durchgang wiederholung time")
COUNT = _set("weight weights count counts freq frequency frequencies")
# What a column beside the ratings is often about, in any of the languages: a person or a place, no answer.
BESIDE = _set(
    "sex gender age ward unit site centre center hospital department clinic geschlecht alter station klinik abteilung "
    "sexe âge service hôpital sexo edad hospital servicio sesso età reparto idade geslacht leeftijd afdeling"
)
NUMBER = _set("# no nr num number nummer numero número numéro n° nº index row rows zeile lfd lfd.nr seq sequence")
# What numbers a case has by the way: where two or more raters use the same numbers, it looks like one of them.
BY_THE_WAY = _set(
    "flight order position sequence batch lot series year vintage table rank group day week month priority weight size "
    "parity gravida duration stay los reihenfolge tisch jahrgang rang gruppe tag monat ordre rang groupe table année "
    "orden mesa grupo año ordine tavolo gruppo anno ordem ano volgorde tafel groep jaar"
)
# What a form or a score sheet asks about each case.
ASKED = _set(
    "colour color nose aroma bouquet taste flavour flavor palate finish body appearance clarity balance texture "
    "content style grammar structure spelling fluency organisation organization relevance creativity originality "
    "presentation argument coherence vocabulary technique expression rhythm farbe geruch geschmack nase gaumen "
    "klarheit inhalt stil grammatik aufbau couleur nez bouche arôme goût olor sabor aspecto colore profumo gusto "
    "cor kleur geur smaak"
)
LEGEND = _set("key legend code codes meaning scale legende schlüssel bedeutung légende leyenda legenda")

# Per kind of column one set a language: German, French, Spanish, Italian, Portuguese, Dutch.
_ELSEWHERE: dict[frozenset[str], tuple[frozenset[str], ...]] = {
    SUBJECT: (
        _set("fall fälle fallnummer fallnr patient patientin patientennummer probe probennummer wein bild objekt akte"),
        _set("cas patient patiente vin échantillon dossier sujet image objet copie"),
        _set("caso casos paciente vino muestra sujeto imagen expediente objeto"),
        _set("caso casi paziente vino campione soggetto immagine cartella oggetto"),
        _set("caso casos paciente doente vinho amostra sujeito imagem processo objeto"),
        _set("geval patiënt patient wijn monster dossier beeld object"),
    ),
    RATER: (
        _set(
            "bewerter bewerterin prüfer prüferin pruefer gutachter gutachterin juror jurorin verkoster verkosterin "
            "beurteiler beurteilerin untersucher untersucherin kodierer kodiererin auswerter arzt ärztin richter "
            "richterin befunder befunderin preisrichter jurymitglied experte expertin"
        ),
        _set(
            "juge dégustateur dégustatrice degustateur évaluateur évaluatrice evaluateur examinateur examinatrice "
            "correcteur correctrice lecteur lectrice observateur observatrice codeur juré médecin expert"
        ),
        _set(
            "juez jueza evaluador evaluadora catador catadora observador observadora examinador examinadora "
            "codificador codificadora jurado lector lectora calificador médico experto experta"
        ),
        _set(
            "giudice valutatore valutatrice degustatore degustatrice assaggiatore esaminatore esaminatrice "
            "osservatore osservatrice giurato lettore codificatore medico esperto"
        ),
        _set(
            "juiz juíza avaliador avaliadora provador provadora examinador examinadora observador observadora "
            "jurado jurada codificador codificadora leitor médico perito"
        ),
        _set("beoordelaar jurylid keurder proever codeur lezer arts beoordeler waarnemer"),
    ),
    RATING: (
        _set(
            "bewertung note urteil beurteilung befund diagnose kategorie klasse punkte punktzahl ergebnis medaille "
            "einstufung wert antwort stufe grad"
        ),
        _set(
            "note avis jugement évaluation catégorie classe médaille réponse résultat diagnostic appréciation cote "
            "décision"
        ),
        _set(
            "nota puntuación calificación evaluación juicio categoría clase medalla respuesta resultado diagnóstico "
            "valoración decisión"
        ),
        _set("voto giudizio punteggio valutazione categoria classe medaglia risposta risultato diagnosi decisione"),
        _set("nota avaliação pontuação classificação categoria classe medalha resposta resultado diagnóstico decisão"),
        _set("beoordeling cijfer score oordeel klasse categorie medaille antwoord resultaat diagnose"),
    ),
    QUESTION: (
        _set("frage kriterium merkmal aspekt"),
        _set("question critère aspect"),
        _set("pregunta criterio aspecto"),
        _set("domanda criterio aspetto"),
        _set("pergunta critério aspecto"),
        _set("vraag criterium aspect"),
    ),
    COUNT: (
        _set("anzahl häufigkeit gewicht"),
        _set("nombre effectif fréquence poids"),
        _set("frecuencia cantidad peso"),
        _set("frequenza numero peso"),
        _set("frequência quantidade peso"),
        _set("aantal frequentie gewicht"),
    ),
}
# The first headers tell the language; a table may have a hundred thousand.
_TELLING = 100
# Words for raters mean nothing else in any of the languages, so they count whatever the other headers say.
RATER_ANYWHERE = RATER.union(*_ELSEWHERE[RATER])


def words(name: str) -> list[str]:
    """The words of a column name in lower case: ``PatientID`` and ``patient_id`` give patient, id."""
    return re.findall(r"[a-zà-ÿ]+", re.sub(r"([a-zà-ÿ])([A-Z])", r"\1 \2", name).lower())


def in_language(names: Sequence[str], kind: frozenset[str]) -> frozenset[str]:
    """The words for one kind of column that count in a table with these headers: English and its own language.

    ``Note`` is a remark beside ``Case`` and ``Rater``, and the rating beside ``Fall`` and ``Prüfer``: the language is
    the one in which more headers are understood than in English.
    """
    language = _language(tuple(names[:_TELLING]))
    return kind if language is None else kind | _ELSEWHERE[kind][language]


@lru_cache(maxsize=8)
def _language(names: tuple[str, ...]) -> int | None:
    spoken = [set(words(n)) for n in names]
    english = frozenset().union(*_ELSEWHERE.keys())
    every = [frozenset().union(*(sets[i] for sets in _ELSEWHERE.values())) for i in range(len(_ELSEWHERE[RATER]))]
    understood = [sum(bool(w & known) for w in spoken) for known in every]
    best = max(understood)
    return understood.index(best) if best > sum(bool(w & english) for w in spoken) else None


# What a column of whole numbers is about that counts no ratings, besides those above.
_FACTS = _set(
    "id code score points year jahr année año anno jaar age alter weight weights gewicht poids peso wt w n count "
    "counts date day month time minutes seconds number size price cost"
)


def is_fact(name: str) -> bool:
    """Whether a column among counts is called like a fact about the case: ``age``, ``year``, ``w2``."""
    plain = re.sub(r"[\W_]*\d+$", "", name.strip())
    spoken = words(plain)
    return bool(spoken) and len(spoken) <= 2 and bool((BESIDE | BY_THE_WAY | _FACTS).intersection(spoken))
