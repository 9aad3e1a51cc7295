"""Many fits: intervals by re-draws, simulation studies, diagnostics."""
