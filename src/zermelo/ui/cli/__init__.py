"""The command line, one module per command or group of related commands."""
