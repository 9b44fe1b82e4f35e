"""What the parts of the demo share: tables, sessions, steps and answers."""
