"""Words to recognise: scales whose order everyone knows, and what columns are headed by."""

import re
from collections.abc import Sequence
from functools import lru_cache

# A scale a line, going on where the next one is indented: its steps from the lowest up, with other words for a step.
_SCALES = """
no = n = false = nein = non = não = nao = nee = nej = nei = nie = ne = нет = いいえ < yes = y = true = ja = oui = sí
    = si
    = sì = sim = tak = ano = да = はい
false = falsch = faux = falso = fałsz = onwaar = ложь = 偽 < true = wahr = vrai = verdadero = verdadeiro = vero
    = prawda = waar = истина = 真
no = n < maybe = perhaps = unsure = uncertain = partly < yes = y
absent < possible = equivocal = uncertain < present
negative = neg = - < equivocal = borderline = indeterminate < positive = pos = +
negativ = négatif = negativo < grenzwertig = douteux = dudoso < positiv = positif = positivo
excluded = exclude < maybe = unsure < included = include
irrelevant < relevant
normal < borderline = suspicious < abnormal
unauffällig < grenzwertig = verdächtig < auffällig
fail = failed < borderline < pass = passed < merit < distinction
incorrect = wrong < partly correct = partially correct < correct = right
reject = rejected < revise = major revision < minor revision < accept = accepted
not met = unmet < partly met = partially met < met = fully met
no medal = none = no award = nothing < bronze < silver < gold < platinum = grand gold
keine medaille < bronze < silber < gold < großes gold = platin
sans médaille < bronze < argent < or < grand or = platine
sin medalla < bronce < plata < oro < gran oro = platino
nessuna medaglia < bronzo < argento < oro < gran oro = platino
sem medalha < bronze < prata < ouro < grande ouro = platina
very low < low < medium = moderate = mid < high < very high
none = no = absent < mild = slight = minimal < moderate < severe < very severe = extreme
keine = kein = nicht vorhanden < leicht = gering < mittel = mäßig < schwer = stark
aucun = aucune = absent < léger = légère < modéré = modérée < sévère = grave
ninguno = ninguna = ausente < leve < moderado = moderada < grave = severo = severa
nessuno = nessuna = assente < lieve < moderato = moderata < grave
nenhum = nenhuma = ausente < leve = ligeiro < moderado = moderada < grave = severo
sehr schlecht < schlecht = mangelhaft < mittel = mäßig = ausreichend < gut < sehr gut
très mauvais < mauvais = mauvaise < moyen = passable < bon = bonne < très bon = très bonne
muy malo < malo = mala < regular < bueno = buena < muy bueno = muy buena = excelente
sehr niedrig < niedrig < mittel < hoch < sehr hoch
très faible < faible < moyen = moyenne < élevé = élevée < très élevé = très élevée
muy bajo < bajo = baja < medio = media < alto = alta < muy alto
very small = tiny < small < medium < large < very large = huge
never < rarely = seldom < sometimes = occasionally < often = frequently < always
strongly disagree < disagree < somewhat disagree = slightly disagree < neutral = neither = neither agree nor disagree
    = undecided < somewhat agree = slightly agree < agree < strongly agree
very poor = very bad < poor = bad < fair = average = ok < good < very good < excellent
unacceptable < poor < acceptable = adequate = satisfactory < good < excellent
very dissatisfied < dissatisfied < neutral < satisfied < very satisfied
very unlikely < unlikely < neutral = possible = possibly < likely = probable < very likely
stimme überhaupt nicht zu = stimme gar nicht zu = trifft überhaupt nicht zu = trifft gar nicht zu < stimme nicht zu
    = trifft nicht zu = lehne ab < stimme eher nicht zu = trifft eher nicht zu < teils/teils = teils teils
    = teils, teils = teils-teils = weder noch = neutral = unentschieden < stimme eher zu = trifft eher zu < stimme zu
    = trifft zu < stimme voll und ganz zu = stimme voll zu = stimme völlig zu = trifft voll und ganz zu
    = trifft voll zu
nie = niemals < selten < manchmal = gelegentlich < oft = häufig < sehr oft < immer
sehr unzufrieden < unzufrieden < neutral = teils/teils < zufrieden < sehr zufrieden
ungenügend < mangelhaft < ausreichend < befriedigend < gut < sehr gut
pas du tout d'accord = tout à fait en désaccord < pas d'accord = en désaccord < plutôt pas d'accord
    < ni d'accord ni pas d'accord = ni d'accord, ni pas d'accord = neutre = sans opinion < plutôt d'accord < d'accord
    < tout à fait d'accord
jamais < rarement < parfois = quelquefois < souvent < très souvent < toujours
très insatisfait = très insatisfaite < insatisfait = insatisfaite < neutre < satisfait = satisfaite < très satisfait
    = très satisfaite
insuffisant < passable < assez bien < bien < très bien < excellent
totalmente en desacuerdo = muy en desacuerdo < en desacuerdo < ni de acuerdo ni en desacuerdo = neutral = indiferente
    < de acuerdo < totalmente de acuerdo = muy de acuerdo
nunca < rara vez = raramente < a veces = algunas veces < a menudo = frecuentemente < siempre
per niente d'accordo = fortemente in disaccordo = completamente in disaccordo = del tutto in disaccordo
    < in disaccordo = non d'accordo = poco d'accordo < né d'accordo né in disaccordo = neutrale = neutro
    = indifferente < d'accordo = abbastanza d'accordo < molto d'accordo = fortemente d'accordo
    = completamente d'accordo = del tutto d'accordo
mai < raramente < a volte = qualche volta = talvolta < spesso < sempre
pessimo = pessima < scarso = scarsa = insufficiente < sufficiente = discreto = discreta < buono = buona < ottimo
    = ottima = eccellente
helemaal mee oneens = helemaal oneens = zeer mee oneens = zeer oneens < mee oneens = oneens < neutraal
    = niet eens, niet oneens = noch eens, noch oneens = noch eens noch oneens < mee eens = eens < helemaal mee eens
    = helemaal eens = zeer mee eens = zeer eens
nooit < zelden < soms < vaak < altijd
zeer slecht < slecht < matig = redelijk = voldoende < goed < zeer goed < uitstekend
zdecydowanie się nie zgadzam = zdecydowanie nie zgadzam się = zdecydowanie nie < nie zgadzam się
    < raczej się nie zgadzam = raczej nie zgadzam się = raczej nie < ani się zgadzam, ani nie zgadzam
    = trudno powiedzieć = nie mam zdania < raczej się zgadzam = raczej zgadzam się = raczej tak < zgadzam się
    < zdecydowanie się zgadzam = zdecydowanie zgadzam się = zdecydowanie tak
nigdy < rzadko < czasami = czasem < często < zawsze
bardzo źle = bardzo zły = bardzo zła < źle = zły = zła < średnio = średni = średnia = dostateczny < dobrze = dobry
    = dobra < bardzo dobrze = bardzo dobry = bardzo dobra
полностью не согласен = полностью не согласна = совершенно не согласен = категорически не согласен < не согласен
    = не согласна < скорее не согласен = скорее не согласна < нейтрально = затрудняюсь ответить = ни то ни другое
    < скорее согласен = скорее согласна < согласен = согласна < полностью согласен = полностью согласна
    = совершенно согласен
никогда < редко < иногда < часто < всегда
очень плохо < плохо < удовлетворительно = средне < хорошо < очень хорошо = отлично
全くそう思わない = まったくそう思わない = 強く反対 < そう思わない = 反対 < あまりそう思わない = やや反対
    < どちらともいえない = どちらとも言えない < ややそう思う = やや賛成 < そう思う = 賛成
    < とてもそう思う = 強くそう思う = 非常にそう思う = 強く賛成
全くない = まったくない < めったにない = ほとんどない < ときどき = 時々 < よく = しばしば < いつも = 常に
非常に悪い = とても悪い < 悪い < 普通 < 良い = よい < 非常に良い = とても良い = とてもよい
discordo totalmente = discordo plenamente = discordo fortemente < discordo < discordo parcialmente
    < nem concordo nem discordo = não concordo nem discordo = neutro = indiferente < concordo parcialmente < concordo
    < concordo totalmente = concordo plenamente = concordo fortemente
nunca < raramente < às vezes = as vezes < frequentemente = muitas vezes < sempre
muito ruim = muito mau = péssimo = péssima < ruim = mau = má < regular = razoável < bom = boa < muito bom = muito boa
    < ótimo = ótima = excelente
benign < atypical = suspicious < malignant
ia < ib < iia < iib < iii < iv
0 < i < ii < iii < iv < v < vi
first < second < third < fourth < fifth
f < e < d- < d < d+ < c- < c < c+ < b- < b < b+ < a- < a < a+
"""
SCALES: tuple[tuple[tuple[str, ...], ...], ...] = tuple(
    tuple(tuple(word.strip() for word in step.split(" = ")) for step in scale.split(" < "))
    for scale in re.sub(r"\n +", " ", _SCALES).strip().split("\n")
)

# A number and what it means: "1 = mild", "2: moderate", "3 severe".
_LED = re.compile(r"(\d{1,3})\s*(?:[=:.)–-]\s*|\s)[^\W\d]")


def known_scale(labels: Sequence[str]) -> tuple[str, ...] | None:
    """The labels in the order of a known scale, lowest first; None when no scale holds them all.

    Labels that mean the same step keep the order in which they came.
    """
    plain = [" ".join(label.casefold().split()) for label in labels]
    # A lone letter means a grade only in company that can be nothing else: A and B alone are two groups.
    if len(plain) < 2 or (all(len(p) == 1 and p.isalpha() for p in plain) and not _are_grades(plain)):
        return None
    counted = _counted(plain)
    if counted is not None:
        return tuple(labels[i] for i in sorted(range(len(plain)), key=lambda i: counted[i]))
    for scale in SCALES:
        step = {word.casefold(): i for i, words in enumerate(scale) for word in words}
        if all(p in step for p in plain) and len({step[p] for p in plain}) > 1:
            order = sorted(range(len(plain)), key=lambda i: step[plain[i]])
            return tuple(labels[i] for i in order)
    return None


def largest_part(labels: Sequence[str]) -> tuple[str, ...]:
    """The labels of the known scale that holds most of them, lowest first; empty where none holds two of them."""
    best: list[str] = []
    for scale in SCALES:
        words = {word.casefold() for step in scale for word in step}
        held = [label for label in labels if " ".join(label.casefold().split()) in words]
        best = held if len(held) > len(best) else best
    return known_scale(best) or ()


def _are_grades(plain: Sequence[str]) -> bool:
    """Whether single letters are school grades (F is there, or no and yes)."""
    letters = set(plain)
    return letters <= {"n", "y"} or ("f" in letters and letters <= set("abcdef") and len(letters) >= 4)


def _counted(plain: Sequence[str]) -> list[int] | None:
    """How many stars, or points out of so many, or which number each label leads with; None where not all do."""
    stars = [p.rstrip("☆") for p in plain]
    if all(s and len(set(s)) == 1 and s[0] in "★⭐*" for s in stars) and len({s[0] for s in stars}) == 1:
        return [len(s) for s in stars]
    led = [_LED.match(p) for p in plain]
    if all(led):
        numbers = [int(m.group(1)) for m in led if m]
        return numbers if len(set(numbers)) == len(numbers) else None
    points = [p.replace(" ", "").split("/") for p in plain]
    if all(len(p) == 2 and p[0].isdecimal() and p[1].isdecimal() for p in points) and len({p[1] for p in points}) == 1:
        return [int(p[0]) for p in points]
    return None


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


SUBJECT = _set(
    "subject subjects case cases patient patients item items wine essay task sample specimen image document id "
    "object unit slide entry film record student candidate person proband text work segment passage excerpt snippet "
    "utterance"
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
    "pfleger pflegerin krankenschwester lehrer lehrerin infirmier infirmière enfermera enfermero infermiere kürzel "
    "infermiera enfermeira enfermeiro patologista patólogo pathologiste patologo radiologue radiólogo radiologo "
    "radiologista médica maestro maestra profesor profesora professeur insegnante professore professora avaliadora "
    "iniciales initiales iniziali iniciais handzeichen verpleegkundige arts codificatrice"
)
# What a column of remarks is called.
REMARK = _set(
    "remark remarks comment comments note notes memo bemerkung bemerkungen kommentar kommentare anmerkung anmerkungen "
    "remarque remarques commentaire commentaires observación observaciones comentario comentarios osservazione "
    "osservazioni commento commenti observação observações comentário comentários opmerking opmerkingen"
)
# What a name of persons or things is written with.
NAMING = _set("id no nr num number code name key nummer")
RATING = _set(
    "rating ratings label labels class score grade category medal diagnosis response answer value judgement "
    "judgment result decision verdict annotation stage mark opinion"
)
QUESTION = _set("question criterion criteria aspect attribute dimension indicator measure")
# What several things are called that are asked of a case, or the cases themselves; the rows tell which.
QUESTION_PERHAPS = _set("item items element category")
ROUND = _set("round phase wave session visit occasion timepoint flight")
# What tells repeats of the same question apart.
REPEAT = _set("repeat repeats repetition replicate replication attempt run trial reading durchgang wiederholung time")
COUNT = _set("weight weights count counts freq frequency frequencies")
# What a column beside the ratings is often about, in any of the languages: a person or a place, no answer.
OTHER_COLUMN = _set(
    "sex gender age ward unit site centre center hospital department clinic geschlecht alter station klinik abteilung "
    "sexe âge service hôpital sexo edad hospital servicio sesso età reparto idade geslacht leeftijd afdeling"
)
NUMBER = _set("# no nr num number nummer numero número numéro n° nº index row rows zeile lfd lfd.nr seq sequence")
# What numbers a case has by the way: where two or more raters use the same numbers, it looks like one of them.
BY_THE_WAY = _set(
    "flight order position sequence batch lot series year vintage table rank group day week month priority weight size "
    "parity gravida duration stay los bmi price preis prix precio prezzo preço prijs reihenfolge tisch jahrgang "
    "rang gruppe tag monat ordre rang groupe table année "
    "orden mesa grupo año ordine tavolo gruppo anno ordem ano volgorde tafel groep jaar"
)
# What came of the ratings of a case, worked out or agreed on afterwards.
OUTCOME = _set(
    "outcome result results resolution resolved decision decided verdict final agreed settled adjudicated overall "
    "panel ergebnis endergebnis entscheidung endnote gesamturteil urteil résultat décision note resultado decisión "
    "risultato decisione decisão resultaat besluit award medal medaille"
)
# What a form or a score sheet asks about each case.
QUESTION_WORDS = _set(
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
        _set("cas patient patiente vin échantillon dossier sujet image objet copie candidat fiche"),
        _set("caso casos paciente vino muestra sujeto imagen expediente objeto ficha historia"),
        _set("caso casi paziente vino campione soggetto immagine cartella oggetto scheda"),
        _set("caso casos paciente doente vinho amostra sujeito imagem processo objeto prontuário lâmina ficha"),
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
_OF_ROLES = (SUBJECT, RATER)
# The first headers tell the language; a table may have a hundred thousand.
_TELLING = 100
# Words for raters mean nothing else in any of the languages, so they count whatever the other headers say.
RATER_ANYWHERE = RATER.union(*_ELSEWHERE[RATER])
# Words for ratings in any of the languages, but one that is a first name.
RATING_ANYWHERE = RATING.union(*_ELSEWHERE[RATING]) - {"mark"}

# What several persons are called by, a number or a letter each.
# Given names and family names that are common where the program is used. No such list is whole: a name that is not
# here is a word like any other, and what stands below it has to tell.
GIVEN_NAMES = _set(
    "ada aino ari asha ava ayla bea bela cara cem cecil cleo cora daria deniz dina dolf "
    "drew eda ela enzo esra fay femi flo gil gus hal hana hank ida ivy jo judy "
    "jules kemal kofi lia mae malik meg mila moe ned nell nia noa ola oli pam pete "
    "quentin quinn rex rhea sami sid toni tove uma vic vik vito wes xavi xena xia yael "
    "yuri zara zed zola "
    "aaron abby abdul abdullah abigail achim adam adele adrian adriana adrien agata agnes agnieszka ahmed ahmet "
    "aicha aidan aisha akira alain alan alba albert alberto alejandra alejandro alessandra alessandro alessia "
    "alex alexander alexandra alexandre alexis alfonso alfred ali alice alicia aline alison allison alma alvaro "
    "amadou amanda amelia amelie amina amir amit amy ana anais anastasia anders andre andrea andreas andreia "
    "andres andrew andrey andrzej andy ange angel angela angelika angelo anita anja anke ann anna anne annegret "
    "anneke annette annika anouk antoine anton antonella antonia antonio antony anya april arjun armin arnaud "
    "arne arthur arturo asa ashley asim astrid audrey augusto aurelie axel ayesha barbara bart bastian beate "
    "beatrice beatriz belen ben benedikt benjamin benoit berit bernadette bernard bernd bert berta beth beto "
    "betty bianca bill birgit bjorn bob bogdan boris brad bram brenda brian brigitte britta bruce bruno camila "
    "camille carina carl carla carlo carlos carmen carol carolina caroline carsten catarina caterina catherine "
    "cathy cecile cecilia celine chantal charles charlotte chiara chloe chris christa christian christiane "
    "christina christine christoph christophe christopher cindy claire clara clare claude claudia claudio clemens "
    "colin connor conrad constance corinna corinne cornelia cristian cristiana cristina cy cyril daisy damian "
    "damien dan dana daniel daniela daniele danielle danny dario dave davi david davide dawid debbie deborah "
    "debra dee delphine denis denise dennis derek detlef dev di diana diane didier diego dieter dimitri dirk "
    "dominic dominik dominique don donald donna dora doris dorota dorothea doug douglas duarte duncan dylan eddie "
    "edgar edith eduardo edward edwin eileen elena eleni eleonora eli elif elisa elisabeth elise elizabeth elke "
    "ella ellen elodie elsa emanuele emil emilia emilie emily emma emmanuel emre enrico enrique eric erica erik "
    "erika ernst esther etienne eugenia eva evan eve evelyn ewa fabian fabiana fabien fabienne fabio fabrice "
    "fatima fatma federica federico felicitas felipe felix femke fernanda fernando filip filipa finn fiona flavia "
    "flavio florence florian fran frances francesca francesco francisca francisco francois francoise frank franz "
    "fred frederic frederik frida frieda friedrich fritz gabi gabriel gabriela gabriele gareth gary gavin gemma "
    "geoff georg george georgia gerald gerard gerd gerhard gianluca gilles gina giorgia giorgio giovanna giovanni "
    "giulia giulio giuseppe gloria gonzalo gordon grace graham greg gregor gregory greta guido guillaume gunter "
    "gustav gustavo hakan hanna hannah hannes hans harald harry hassan heather hector heidi heike heiko heinz "
    "helen helena helene helga helmut hendrik henri henrik henry herbert hilary hilde hiroshi holger howard "
    "hubert hugo hussein ian ibrahim ignacio igor ilaria ilse imran ina ines inga inge ingo ingrid ioana irene "
    "irina iris isaac isabel isabella isabelle ismail ivan ivana jack jacob jacqueline jacques jaime jakob james "
    "jamie jan jana jane janet janina janine jasmin jason javier jay jean jeanne jeff jenna jennifer jenny jens "
    "jeremy jerome jerry jesper jess jessica jesus jill jim joan joana joanna joao joaquin jochen joe joel joerg "
    "johan johann johanna johannes john jon jonas jonathan joost jordan jordi jorg jorge jose josef joseph "
    "josephine joshua juan juana judith julia julian juliana julie julien juliette julio jurgen justin justyna "
    "jutta kai kamil karen karim karin karina karl karsten kasper katarina kate katharina katherine kathleen "
    "kathrin kathy katia katie katja katrin katy kay keith kelly ken kenji kerstin kevin khalid kim kirsten "
    "kirsty klara klaus knut konrad konstantin krishna kristen kristian kristin kristina krzysztof kurt kyle lara "
    "larissa larry lars laura laure lauren laurence laurent lea leah leanne lee leila lena leo leon leonardo "
    "leonie leonor leslie leticia lewis liam lidia lilian lily lina linda lionel lisa liz lorena lorenzo lothar "
    "lotte lou louis louise luc luca lucas lucia luciana luciano lucie lucy ludovic luigi luis luisa luise lukas "
    "luke lydia lynn madeleine mads magali magda magdalena maja malcolm malte manfred manon manuel manuela mara "
    "marc marcel marcela marcin marco marcos marcus mareike margaret margarida margit margot maria mariam mariana "
    "marianne marie marina mario marion marisa marit marius mark marko markus marlene marta martha martin martina "
    "martine mary mateo mateusz matheus mathias mathieu mathilde matias matt matteo matthew matthias matthieu "
    "maud maureen maurice mauricio mauro max maxime maya megan mehmet melanie melissa mercedes merle mette mia "
    "michael michaela michal michel michela michele michelle miguel mika mike milan milena mina miranda miriam "
    "mirko mohamed mohammad mohammed moira molly mona monica monika monique moritz muhammad murat mustafa nadia "
    "nadine nancy naomi natalia natalie nathalie nathan neil nelly nelson nick nico nicola nicolas nicole nigel "
    "nikita niko nikolaus nils nina noah noel noemi nora norbert norman nuno odile olaf oleg olga oliver olivia "
    "olivier omar ophelie oriol oscar oskar osman otto pablo paola paolo pascal pat patrice patricia patricio "
    "patrick patrizia paul paula paulina pauline paulo pavel pawel pedro penny per peter petra phil philip "
    "philipp philippe pia pierre pieter pilar piotr priya rachel rafael rahul raimund rainer raj ralf ralph ramon "
    "ramona raoul raphael raquel rashid raul ravi ray rebecca reinhard remy renata renate rene ricardo riccardo "
    "richard rita rob robert roberta roberto robin rocio rodrigo roger roland rolf romain roman ron ronald rosa "
    "rosario rosie ross roy ruben rudolf rui rupert ruth ryan sabine sabrina sally salma sam samantha samira "
    "samuel sandra sandrine sandy sanjay sanne sara sarah sascha scott sean sebastian sebastien selma serena "
    "serge sergey sergio shane shannon sharon sheila shirley sibylle sigrid silke silvia simon simona simone sina "
    "sofia sonia sonja sophia sophie soren stacy stan stefan stefania stefanie stefano steffen stella stephan "
    "stephane stephanie stephen steve steven stuart sue sunil susan susana susanna susanne suzanne svein sven "
    "svenja svetlana sylvain sylvia sylvie takeshi tamara tania tanja tara tatiana ted teresa terry tess thea "
    "theo theresa therese thibault thierry thilo thomas thorsten tiago tilman tim timo tina tobias toby todd tom "
    "tomas tomasz tommaso tony torsten tracy trevor tristan udo ulf uli ulla ulrich ulrike ursula ute uwe vadim "
    "valentin valentina valeria valerie vanessa vasco vera veronica veronika veronique vicente vicky victor "
    "victoria vikram viktor vincent vincenzo viola virginia virginie vittoria vivian vladimir volker walter wanda "
    "wei wendy werner wiebke wilhelm will willem william wim wolfgang xavier yan yann yannick yara yasmin yolanda "
    "yuki yusuf yves yvonne zoe zofia zsofia "
)
FAMILY_NAMES = _set(
    "adams ahmed ali allen alonso alvarez andersen anderson andersson andrade bailey baker bauer becker bennett "
    "berg bernard bianchi blanc bonnet brooks brown campbell carter castro chan chang chen clark clarke collins "
    "colombo cook cooper costa cox cruz davies davis dias diaz dubois dupont durand edwards eriksson esposito "
    "evans fernandes fernandez ferrari ferreira fischer fontaine foster fournier gallo garcia girard gomes gomez "
    "gonzalez greco griffiths gupta gutierrez haas hall hansen harris harrison hartmann hernandez hill hoffmann "
    "hofmann huang hughes hussain ivanov iyer jackson jansen janssen jensen jimenez johansson johnson jones "
    "kaiser kaur kelly khan kim king klein koch kowalska kowalski krause kruger kumar lang larsen laurent lee "
    "lefevre lehmann leroy lewis li lin liu lopes lopez maier marino marques martin martinez martins meier mendes "
    "menzel meyer michel miller mitchell moore morales moreau moreira morel moreno morgan morris muller murphy "
    "murray neumann nguyen nielsen novak nowak okafor oliveira olsen olsson ortega ortiz owen park parker patel "
    "pedersen pereira perez peters petit petrov phillips pinto popescu popov powell ramirez ramos reis ribeiro "
    "ricci richards richardson rivera roberts robertson robinson rocha rodrigues rodriguez romano romero rossi "
    "roux ruiz russo sanchez santos sato sauer schmid schmidt schmitt schneider scholz schroder schubert schulz "
    "schulze schwarz silva singh smirnov smith soares sousa suarez suzuki svensson tanaka tavares taylor teixeira "
    "thomas thompson torres tran turner vasquez vogel wagner walker wang ward watson weber weiss werner white "
    "williams wilson wong wright wu yang yilmaz young zhang zhao zimmermann "
)
KINDS = (
    RATER_ANYWHERE
    | frozenset(
        [
            "dr",
            "doctor",
            "prof",
            "professor",
            "mr",
            "mrs",
            "ms",
            "nurse",
            "resident",
            "student",
            "team",
            "group",
            "table",
        ]
    )
    | _set("fr frau hr herr mme mlle sra srta sig dott dhr mevr pani")
)


def words(name: str) -> list[str]:
    """The words of a column name in lower case: ``PatientID``, ``patient_id`` and ``patientid`` give patient, id."""
    spoken = re.findall(r"[a-zà-ÿ]+", re.sub(r"([a-zà-ÿ])([A-Z])", r"\1 \2", name).lower())
    return [part for word in spoken for part in _parts(word)]


@lru_cache(maxsize=4096)
def _parts(word: str) -> tuple[str, ...]:
    """A word, or what it names and the word for naming it where both are written as one."""
    for naming in ("id", "nr", "no", "name", "code"):
        stem = word.removesuffix(naming)
        if stem not in {"", word} and any(
            stem in kind or any(stem in of for of in _ELSEWHERE[kind]) for kind in _OF_ROLES
        ):
            return stem, naming
    return (word,)


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
    return bool(spoken) and len(spoken) <= 2 and bool((OTHER_COLUMN | BY_THE_WAY | _FACTS).intersection(spoken))


# What a column of answers known beforehand is called, and what else may stand in such a name.
_KNOWN_WORDS = (
    "gold goldstandard gt key truth true groundtruth target expert reference label correct actual referenz "
    "referenzstandard goldstandardwert wahrheit lösung musterlösung vérité référence verdad referencia verità "
    "riferimento waarheid referentie gabarito referência verdade étalon corrigé corretto corretta correta correto "
    "correcta correcto correcte richtig richtige richtiger sollwert lösungsschlüssel antwortschlüssel clave chiave "
    "solución soluzione solução oro ouro juste bonne bekannt schlüssel"
)
_KNOWN = frozenset(_KNOWN_WORDS.split())
# In other letters whole names are known, not words of them.
_KNOWN_NAMES = frozenset(["正解", "正答", "真値", "标准答案", "正确答案", "эталон", "истина", "золотой_стандарт"])
_BESIDE_KNOWN_WORDS = (
    "ground standard class answer answers y value final the column of s known patrón estándar padrão de diagnóstico "
    "antwort antworten respuesta resposta risposta réponse la le el"
)
_BESIDE_KNOWN = frozenset(_BESIDE_KNOWN_WORDS.split()) | RATING


def is_known_answer(name: str, others: Sequence[str]) -> bool:
    """Whether a column is called like known answers: ``gold``, ``y_true``; ``Expert 1`` beside ``Expert 2`` is not."""
    own = words(name)
    if "_".join(name.casefold().split()) in _KNOWN_NAMES:
        return True
    if not _KNOWN.intersection(own) or not set(own) <= _KNOWN | _BESIDE_KNOWN or re.search(r"\d", name):
        return False
    # A stem that several columns share is what raters are called.
    return not any(set(own) <= set(words(other)) for other in others if other != name)
