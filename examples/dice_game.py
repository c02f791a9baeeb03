"""A dice game of your own: throw two dice as often as you dare; nearer to 21 wins, beyond loses."""

import zermelo


class TwentyOne(zermelo.Game):
    utility_bounds = (-1, 1)

    def initial(self):
        return (0, 0, 0, False)  # both sums, whose turn, are the dice in the air?

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
    print(f"who begins gets {zermelo.solve(game).value:+.4f} a game")
    for total in range(11, 22):
        print(f"with {total}: {zermelo.solve(game, (total, 0, 0, False)).action}")
