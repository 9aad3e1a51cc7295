"""A run inside a run, told in the steps of the outer one."""

from tapdesk.progress import Run, Step, T


def within(run: Run[T], done: int, total: int, phase: str) -> Run[T]:
    """Drive an inner run, with the same step of the outer one at every sign of life, and return its result.

    So a long piece of work can be ended while it is under way, and a progress line does not jump.
    """
    while True:
        try:
            next(run)
        except StopIteration as end:
            result: T = end.value
            return result
        yield Step(done, total, phase)
