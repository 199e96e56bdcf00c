"""The command line: click commands around the same game that every other shell uses."""
