"""Arguments and options that several commands have."""
