"""What `fx.simulate` is asked, and what a run leaves behind, for every kind of system."""
