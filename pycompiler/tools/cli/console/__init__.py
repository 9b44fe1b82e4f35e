"""What a person sees of a command: results, errors, colours and progress."""
