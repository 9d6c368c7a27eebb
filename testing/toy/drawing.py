"""The table as text."""

from mastaba.making import State

from .state import EMPTY


def draw(state: State, player: int | None) -> str:
    s = state.record[0]
    turn = "over" if s["over"] else f"player {s['current_player']} lays"
    lines = [f"Stairs   {turn}   passed in a row: {s['passes']}   laid, by value: {s['laid'].tolist()}"]
    for p in range(state.game.num_players):
        seen = player is None or player == p
        hand = " ".join("-" if stone == EMPTY else str(stone) if seen else "?" for stone in s["hand"][p])
        lines.append(f"player {p}: hand {hand}   top {s['top'][p]}   steps {s['steps'][p]}")
    return "\n".join(lines)
