"""Write a game with chance: roll two dice as often as you dare.

Whoever gets closer to 21 wins. A sum above 21 counts as 0.
"""

import zermelo


class TwentyOne(zermelo.Game):
    utility_bounds = (-1, 1)

    def initial(self):
        return (0, 0, 0, False)  # sum of player 0, sum of player 1, player to move, dice rolling

    def player(self, s):
        return zermelo.CHANCE if s[3] else s[2]

    def actions(self, s):
        return ["throw", "stop"]

    def outcomes(self, s):
        return [(dice, (6 - abs(dice - 7)) / 36) for dice in range(2, 13)]

    def result(self, s, a):
        *sums, turn, _ = s
        if a in ("throw", "stop"):
            return (*sums, turn + (a == "stop"), a == "throw")
        sums[turn] += a
        return (*sums, turn + (sums[turn] > 21), False)

    def is_terminal(self, s):
        return s[2] == 2

    def utility(self, s, p):
        mine, other = (total if total <= 21 else 0 for total in (s[p], s[1 - p]))
        return (mine > other) - (mine < other)


if __name__ == "__main__":
    game = TwentyOne()
    print(f"expected value for the first player: {zermelo.solve(game).value:+.4f}")
    for total in range(11, 22):
        print(f"best action with {total}: {zermelo.solve(game, (total, 0, 0, False)).action}")
