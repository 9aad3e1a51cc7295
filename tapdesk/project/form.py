"""Between the questions of a form as they are read and as a project keeps them.

It stands alone because `tapdesk.project.project` is loaded by every command, and forms by few.
"""

from dataclasses import replace

from tapdesk.project.project import FormQuestionWork, Project, replay
from tapdesk.project.review_state import findings_now
from tapdesk.ratings.form import OF_FORMS, Form, FormQuestion
from tapdesk.ratings.options import ReadingOptions


def work_of(form: Form) -> tuple[FormQuestionWork, ...]:
    """The questions of a form for a project, what was noticed of the whole form beside each."""
    made = []
    for one in form.questions:
        reading = one.reading
        if reading is not None:
            known = {(f.code, f.about) for f in reading.findings}
            whole = (f for f in form.remarks if f.code in OF_FORMS or not f.about)
            of_all = (f for f in whole if (f.code, f.about) not in known)
            reading = replace(reading, findings=(*of_all, *reading.findings))
        made.append(FormQuestionWork(one.name, reading, one.refused))
    return tuple(made)


def form_of(project: Project) -> Form:
    """The form of a project, each question as it was decided about it.

    Parameters
    ----------
    project
        With a form.
    """
    questions = []
    for one in project.form:
        reading = one.reading
        if reading is None:
            questions.append(FormQuestion(one.name, ReadingOptions(), None, one.refused))
            continue
        played = replay(reading.as_read, project.in_force, one.name)
        findings = findings_now(project.with_question(one.name))
        decided = replace(reading, as_read=played.all_classes, ratings=played.ratings, findings=findings)
        questions.append(FormQuestion(one.name, reading.asked, decided))
    noticed = (f for one in questions if one.reading is not None for f in one.reading.findings if f.code in OF_FORMS)
    return Form(tuple(questions), tuple({f.code: f for f in noticed}.values()))
