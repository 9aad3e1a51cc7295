"""What people are called: given names and family names that are common where the program is used.

No list of names is whole. A name that is not here is a word like any other, and what stands below it has to tell.
"""

import re
import unicodedata

from tapdesk.ratings.layouts import roles as r
from tapdesk.ratings.vocabulary import KINDS, RATER_PERHAPS, words


def _set(names: str) -> frozenset[str]:
    return frozenset(names.split())


_GIVEN = _set(
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
_FAMILY = _set(
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
_INITIALS = re.compile(r"[A-ZÀ-Þ]{1,3}|(?:[A-ZÀ-Þ]\. ?){1,3}")
_WITH_INITIAL = re.compile(r"[^\W\d_]+[ _.-]+[A-ZÀ-Þ]\.?|[A-ZÀ-Þ](?:\. ?| )[^\W\d_]{3,}")
_NUMBER = re.compile(r"[A-Za-z]?[ _.-]?\d{1,4}")


def is_person(name: str) -> bool:
    """Whether a column is called as people are, or as their seats: ``Ana``, ``Dr Weiss``, ``JS``, ``R2``, ``7``."""
    plain = name.strip()
    if r.is_phrase(plain):
        return False
    if r.is_rater_column(plain) or (KINDS | RATER_PERHAPS).intersection(words(plain)):
        return True
    if any(form.fullmatch(plain) for form in (_INITIALS, _WITH_INITIAL, _NUMBER)):
        return True
    return any(part in _GIVEN or part in _FAMILY for part in re.findall(r"[a-z]+", _folded(plain)))


def _folded(name: str) -> str:
    """A name in small letters without their marks: ``Élise`` is ``elise``, ``Bjørn`` is ``bjorn``."""
    apart = unicodedata.normalize("NFKD", name.casefold().replace("ø", "o").replace("ł", "l"))
    return "".join(c for c in apart if not unicodedata.combining(c))
