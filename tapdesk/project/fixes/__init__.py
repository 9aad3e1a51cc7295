"""What can be done about a finding with one click."""
