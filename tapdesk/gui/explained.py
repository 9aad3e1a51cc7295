"""What each block of the results shows, how it is read, and what it does not say: a few plain sentences each."""

from tapdesk.language import gettext as _

# By the key of the part of the report a block shows (`report.notes.PARTS`).
EXPLAINED: dict[str, str] = {
    "model": _(
        "Dots are your ratings: how many cases got how many answers of one kind. The coloured line is what the "
        "model expects, the grey bars how far luck moves the dots. Where dots lie on the line, the model "
        "describes these ratings well. The dashed line is what raters would do who know nothing. A good picture "
        "does not prove that the model is true."
    ),
    "movement": _(
        "The same analysis was done again on many re-drawn sets of cases, or many values were drawn from what can "
        "be believed. Each row shows where a number came to lie: half of the time in the dark band, 95 times in "
        "100 in the light one. A wide row is a number that other cases might have made quite different."
    ),
    "words": _(
        "Whether the search for the best answer has ended well, whether data of this shape can tell the numbers "
        "apart at all, and what each number means in a sentence."
    ),
    "search": _(
        "The search begins at many places. Where all lines meet at the same height, they have found the same "
        "answer; lines that stop lower have stopped at a poorer one. Of drawn values, the lines of all chains "
        "should cover each other."
    ),
    "chance": _(
        "Many panels were simulated whose ratings have nothing to do with the case. The bars show how informed "
        "they look, the line shows your panel. Where the line stands beyond the bars, luck alone does not make "
        "such ratings."
    ),
    "coefficients": _(
        "Each row is one way to measure agreement: 1 is perfect, 0 is what that coefficient takes for luck. They "
        "differ because each has its own idea of luck. The bar is the interval. No words such as “good” stand "
        "beside them unless you choose a scale, because such scales are a convention."
    ),
    "differ": _(
        "What each coefficient takes for luck, and the accuracy it stands for if that is right. This is why "
        "several numbers about the same ratings may all be correct."
    ),
    "pairs": _(
        "Kappa of every two raters: the stronger the shade, the more they agree beyond luck. A row that is pale "
        "throughout is a rater who agrees with nobody, which does not tell who is right."
    ),
    "raters": _(
        "How often the ratings of each rater follow the case, the surest at the top, with intervals. The upright "
        "line is the panel as a whole. A diamond is a rater whose interval does not hold the panel; the order of "
        "all others may be luck."
    ),
    "cases": _(
        "The cases about which the panel tells least. The belief is how sure the model is of the likeliest "
        "answer. It shows where a discussion may help, not that anybody was wrong."
    ),
    "categories": _(
        "When one rater gives the category at the left, how often another gives each: a full box on the diagonal is a "
        "category that everybody sees alike. Boxes beside it show which two are taken for each other. Luck is in here "
        "as well: a category that is given often is also given often by chance."
    ),
    "lines": _(
        "Each row draws the line between two grades at another place and asks how often ratings follow the case "
        "there. The smallest accuracy belongs to the line that is hardest to draw."
    ),
    "groups": _(
        "The same analysis by itself in every group of a further column, such as the ward or the year. Groups whose "
        "intervals meet may well be alike; the more groups there are, the sooner one of them looks different by luck."
    ),
    "models": _(
        "Every other way these ratings can be understood, each with its accuracy, and whether what a simpler one "
        "leaves out is needed. If all of them say nearly the same, the answer above does not depend "
        "on the way it was found."
    ),
    "of_size": _(
        "Ratings are made up many times for a study as large as yours, with numbers that are known then. What is "
        "found of them shows what a study of this size can find at all, whatever your own ratings say."
    ),
    "more": _(
        "More questions to the same results. Each picture is drawn from this answer and these ratings when it is asked "
        "for; those that simulate take a while, and can be stopped and gone on with."
    ),
}
