"""The list of all sentences is that of the sources, and knows what holds each of them."""

from tests.words.sentences import LIST, claims_of, page, pieces, sentences


def test_the_list_stands_as_it_is_made_from_the_sources():
    assert LIST.read_text("utf-8") == page(), "make it anew: python -m tests.words.sentences"


def test_a_sentence_is_listed_with_the_condition_that_leads_to_it():
    found = [one for one in sentences() if one.text.startswith("Of each of") or "too wide to conclude" in one.text]
    assert found
    assert any("wide" in one.condition for one in found)
    every = sentences()
    assert len(every) > 800
    assert len({(one.place, one.function, one.condition, one.text) for one in every}) == len(every)


def test_a_claim_is_found_by_its_phrase_and_pieces_are_what_a_reader_sees():
    assert "more-than-chance" in claims_of("More than chance: of {all} simulated panels, none.")
    assert claims_of("Nothing of that kind.") == ()
    assert pieces("How often {n} {subjects} are truly so, nobody can know.") == (
        "cases are truly so, nobody can know.",
    )
