"""What is asked, judged, run, and worked out beside it."""
