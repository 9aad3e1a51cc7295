"""The headless commands (cli.md): the same engine without a window."""
