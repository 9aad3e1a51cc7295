"""Thirty reports of bad input, looked at page by page; a tool that stays (``python -m tests.gallery FOLDER``)."""
