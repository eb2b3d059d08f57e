"""Structures given by nodes and elements, or as matrices: `moving/` on bodies in known motion, `operating/` as they run."""
