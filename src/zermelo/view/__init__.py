"""Views read a Result or its Trace, and nothing else. One view, one file."""
