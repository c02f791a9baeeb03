"""User interfaces: command line, terminal, notebook, UCI, web studio."""
