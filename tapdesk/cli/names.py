"""The names of the commands, apart from what they import."""

COMMANDS = ("check", "fit", "agree", "scan", "pairs", "simulate", "study", "report", "figure", "verify", "selftest")
