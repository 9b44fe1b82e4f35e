"""Reading what a range of commits wrote, without the files that a condition excludes."""
