"""The exports of the trades: a recogniser for each program, and a row for each in `catalog`."""
