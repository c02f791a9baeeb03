"""The commands, by what they are for; `zermelo.cli` is their door."""
