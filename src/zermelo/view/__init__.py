"""Views read only a Result or its Trace. One view per file."""
