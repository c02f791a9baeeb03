"""Write your own game in fifteen lines.

Players take one, two or three of 21 matches in turn. Whoever takes the last match loses.
"""

import zermelo


class Matches(zermelo.Game):
    utility_bounds = (-1, 1)

    def initial(self):
        return (21, 0)  # matches left, player to move

    def player(self, s):
        return s[1]

    def actions(self, s):
        return range(1, min(3, s[0]) + 1)

    def result(self, s, a):
        return (s[0] - a, 1 - s[1])

    def is_terminal(self, s):
        return s[0] == 0

    def utility(self, s, p):
        return 1 if s[1] == p else -1  # the opponent took the last match


game = Matches()
for matches in range(2, 12):
    result = zermelo.solve(game, (matches, 0))
    verdict = f"take {result.action}" if result.value > 0 else "lost"
    print(f"{matches:>2} matches: {verdict}")
