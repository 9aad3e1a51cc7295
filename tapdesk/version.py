"""The program's version, said once; a frozen bundle has no package metadata to ask."""

VERSION = "0.1.0"
