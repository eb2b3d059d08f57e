"""Answers as files for other programs: one file here for each format."""
