"""``zermelo bridge``: the double-dummy tricks of every contract of a deal."""

from __future__ import annotations

from typing import Annotated

import typer

from .shared import Json, app, emit, read_text


@app.command()
def bridge(
    deal: Annotated[
        str,
        typer.Argument(
            metavar="DEAL", help='Deal in PBN, e.g. "N:AK… … … …"; @FILE; - for stdin; or a seed.'
        ),
    ],
    cards: Annotated[bool, typer.Option("--cards", help="Print the hands too.")] = False,
    as_json: Json = False,
) -> None:
    """Solve a bridge deal double dummy: tricks of all 20 contracts.

    A file can contain many deals. A number is the seed of a random deal.
    """
    from ...games.bridge import double_dummy, random_deal, read_pbn
    from ...games.bridge.notation import format_deal, parse_deal

    text = read_text(deal).strip()
    if text.isdecimal() and len(text) < 19:
        deals = [random_deal(int(text))]
    elif "[" in text:
        deals = [g.hands for g in read_pbn(text)]
    else:
        deals = [parse_deal(line) for line in text.splitlines() if line.strip()] or [
            parse_deal(text)
        ]
    found = []
    for number, hands in enumerate(deals):
        table = double_dummy(format_deal(hands))
        if as_json:
            found.append(table.to_dict())
            continue
        if number:
            print()
        if cards or len(deals) > 1 or text.isdecimal():
            print(table.deal)
        print(table, flush=True)
    if as_json:
        emit(found[0] if len(found) == 1 else found)
