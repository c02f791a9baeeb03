"""Games given as explicit trees: tree notation, Gambit's .efg files, exact numbers."""
