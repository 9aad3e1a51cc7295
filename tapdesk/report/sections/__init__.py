"""The sections of a report: one small module each, listed in the catalog of ``tapdesk.report.build``."""
