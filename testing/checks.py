"""The checks of the battery. Each says in plain words what is wrong; `examples` multiplies how much it looks at."""

from __future__ import annotations

import contextlib
import copy
import json
import pickle
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain
from typing import Any

import numpy as np

from ..baselines.agents import act, agent
from ..envs.core.declare.features import build_writer, present
from ..envs.core.declare.schema import NOBODY, OWNER, Field
from ..envs.core.episode import Episode
from ..envs.core.game import Game
from ..envs.core.kernel.jit import kernel
from ..envs.core.kernel.masks import new_masks
from ..envs.core.observing import encoder_names
from ..envs.core.play.many import build_observe
from ..envs.core.play.rewards import REWARDS
from ..envs.core.positions import findings
from ..envs.core.rules import Rules
from ..envs.core.state import IllegalActionError, State
from ..envs.faces.gymnasium import SeatEnv
from ..envs.faces.pettingzoo import BoardGameEnv
from ..envs.faces.vector import Duel, SelfPlay
from .battery import check
from .fuzz import byte_mutants, dict_mutants, try_mutant
from .walks import positions, styles, walk

__all__ = [
    "check_copies",
    "check_determinism",
    "check_determinize",
    "check_encoders",
    "check_faces",
    "check_hiding",
    "check_legal",
    "check_notation",
    "check_players",
    "check_positions",
    "check_scores",
]


def _at(state: State) -> str:
    return f"decision {state.record['decisions'][0]}, phase {state.phase()!r}"


# --- Rules -------------------------------------------------------------------------------------------------------------------


@check
def check_legal(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """Masks are right: what is legal applies, nothing else does, every decision is one, and the game ends."""
    for number, style in enumerate(styles(game) * examples):
        for state in walk(game, seed + number, style):
            yield from wrong_mask(state)
    for state in positions(game, 8 * examples, seed):
        yield from _wrong_effect(state, np.random.default_rng(seed))


def wrong_mask(state: State) -> Iterator[str]:
    game = state.game
    problem = next(findings(game, state.record), None)
    if problem is not None:
        yield f"{_at(state)}: the position breaks an invariant, {problem[0]}: {problem[1]}"
    masks, mask = new_masks(1, game.num_actions)
    counts = np.zeros(1, np.int64)
    game.kernels.legal_masks(state.record, masks, counts)
    marked = int(np.count_nonzero(masks))
    if counts[0] != marked:
        yield f"{_at(state)}: `legal` returns {counts[0]} but marks {marked} actions"
    if not np.isin(masks, (0, 1)).all() or masks[:, game.num_actions :].any():
        yield f"{_at(state)}: `legal` marks something that is no action, or with another number than 1"
    if not np.array_equal(mask[0], state.legal_actions_mask()):
        yield f"{_at(state)}: the mask shown is not what `legal` says"
    if state.is_terminal() != (marked == 0) or (marked == 1):
        yield f"{_at(state)}: {marked} legal actions; a decision has at least two, a finished game none"
    phases = game.rules.phases
    if phases is not None and not state.is_terminal():
        stray = np.flatnonzero(mask[0].astype(bool) & ~phases.offers(int(state.record["phase"][0])))
        if len(stray):
            yield f"{_at(state)}: {game.action_to_string(int(stray[0]))!r} is legal, but of no kind that the phase declares"


def _wrong_effect(state: State, rng: np.random.Generator) -> Iterator[str]:
    game, legal = state.game, set(state.legal_actions())
    before = state.serialize()
    for action in legal:
        tried = state.clone()
        tried.apply_action(action)
        if tried == state:
            yield f"{_at(state)}: {game.action_to_string(action)!r} changes nothing"
    others = [a for a in range(-1, game.num_actions + 1) if a not in legal]
    for action in rng.choice(others, min(len(others), 20), replace=False):
        try:
            state.apply_action(int(action))
            yield f"{_at(state)}: action {action} is not legal, but is played"
        except IllegalActionError:
            pass
    if state.serialize() != before:
        yield f"{_at(state)}: an action that was refused left a trace"


@check
def check_scores(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """Score sheets add up, ranks follow scores, rewards follow ranks."""
    n = game.num_players
    for state in positions(game, 16 * examples, seed + 1):
        scores, sheets = state.scores(), state.breakdown()
        sums = [sum(sheet.values()) for sheet in sheets]
        if sums != scores:
            yield f"{_at(state)}: the score sheets add up to {sums}, the scores are {scores}"
    for number, style in enumerate(styles(game) * examples):
        *_, end = walk(game, seed + number, style)
        scores, ranks = end.scores(), end.standings()
        if n > 1 and any(ranks[p] < ranks[q] and scores[p] < scores[q] for p in range(n) for q in range(n)):
            yield f"a player with fewer points is ranked higher: scores {scores}, ranks {ranks}"
        if n > 1 and (min(ranks) != 0 or sorted(ranks) != [sum(r < rank for r in ranks) for rank in sorted(ranks)]):
            yield f"ranks {ranks} are none: the best is 0, equals share a rank"
        returns = end.returns("win")
        winners = [p for p in range(n) if ranks[p] == 0]
        if n > 1 and (abs(sum(returns)) > 1e-9 or any(returns[p] != max(returns) for p in winners)):
            yield f"the returns {returns} of ranks {ranks} do not add up to zero with the winners on top"
        for p, margin in enumerate(end.returns("margin")) if n > 1 else ():
            lead = (scores[p] - max(scores[:p] + scores[p + 1 :])) / game.rules.score_scale
            if abs(margin - lead) > 1e-9:
                yield f"the margin of player {p} is {margin}, the lead is {lead}"


@check
def check_notation(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """Every action has its own notation, and is read back from it."""
    names = [game.action_to_string(a) for a in range(game.num_actions)]
    if len(set(names)) < len(names):
        yield f"two actions are written alike: {sorted({n for n in names if names.count(n) > 1})}"
    for action, name in enumerate(names):
        for spelling in (name, f"  {name} ", name.upper()):
            try:
                if (read := game.string_to_action(spelling)) != action:
                    yield f"{spelling!r} is action {action}, but is read as {read}"
            except ValueError as error:
                if spelling != name.upper():  # two notations may differ by case alone
                    yield f"{spelling!r} is not read: {error}"
    for nonsense in ("", "no such action", names[0] + " x"):
        with contextlib.suppress(ValueError):
            yield f"{nonsense!r} is read as action {game.string_to_action(nonsense)}"


# --- Copies, chance ----------------------------------------------------------------------------------------------------------

COPIES: dict[str, Callable[[State], State]] = {
    "clone": State.clone,
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda s: pickle.loads(pickle.dumps(s)),
    "serialize": lambda s: s.game.deserialize(s.serialize()),
    "to_dict": lambda s: s.game.from_dict(json.loads(json.dumps(s.to_dict()))),
}


@check
def check_copies(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """A copy is equal, plays on alike and leaves the original alone."""
    for state in positions(game, 6 * examples, seed + 2):
        before, mask = state.serialize(), state.legal_actions()
        for way, duplicate in COPIES.items():
            other, twin = duplicate(state), game.state_of(state.record)
            if other != state or other.legal_actions() != mask:
                yield f"{_at(state)}: a copy by {way} is not equal"
                continue
            rng = np.random.default_rng(seed)
            for _ in range(30):
                if other.is_terminal():
                    break
                action = int(rng.choice(other.legal_actions()))
                other.apply_action(action)
                twin.apply_action(action)
            if other != twin:
                yield f"{_at(state)}: a copy by {way} plays on differently"
            if state.serialize() != before or state.legal_actions() != mask:
                yield f"{_at(state)}: playing on a copy by {way} changed the original"
                return


@check
def check_determinism(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """A game is a function of its seed and its actions, one at a time or many at once."""
    for number in range(2 * examples):
        first, second = ([s.serialize() for s in walk(game, seed + number)] for _ in range(2))
        if first != second:
            yield f"seed {seed + number} and the same actions gave two different games"
    beginnings = {game.new_initial_state(seed=k).serialize() for k in range(8)}
    if len(beginnings) < 8:
        yield "different seeds begin the same game: the generator of the state is not the seed's"
    yield from _wrong_batch(game, seed)


def _wrong_batch(game: Game, seed: int, count: int = 5, most: int = 150) -> Iterator[str]:
    states, (masks, _) = game.new_states(count), new_masks(count, game.num_actions)
    seeds = np.arange(seed, seed + count, dtype=np.uint64)
    game.kernels.reset(states, game.template, seeds, np.zeros(count, np.uint64), masks)
    singles = [game.new_initial_state(seed=int(k)) for k in seeds]
    rng = np.random.default_rng(seed)
    for turn in range(most):
        if states.tobytes() != b"".join(s.serialize() for s in singles):
            yield f"after {turn} decisions a batch is not where single states are"
            return
        if all(s.is_terminal() for s in singles):
            return
        actions = np.array([0 if s.is_terminal() else rng.choice(s.legal_actions()) for s in singles])
        for single, action in zip(singles, actions, strict=True):
            if not single.is_terminal():
                single.apply_action(int(action))
        game.kernels.apply(states, actions, masks)


# --- Hidden information ------------------------------------------------------------------------------------------------------


def _hidden(game: Game) -> list[Field]:
    return [f for f in game.rules.schema if f.sees in (NOBODY, OWNER) and not f.derived and f.name != "rng"]


def _views(state: State, player: int) -> dict[str, Any]:
    """All that a player is shown, by what shows it."""
    shown: dict[str, Any] = {"the view": state.view(player), "the text board": state.to_text(player)}
    for name in encoder_names():
        seen = state.observation(player, name)
        shown[f"the observation {name!r}"] = seen.tobytes() if isinstance(seen, np.ndarray) else seen
    if state.game.rules.picture is not None:
        shown["the picture"] = state.to_svg(player)
    if state.current_player() == player:
        shown["the mask"] = state.legal_actions()
    return shown


@check
def check_hiding(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """Nothing that a player is shown depends on what it may not know: hidden fields redrawn, or scrambled, change nothing."""
    rng = np.random.default_rng(seed)
    for state in positions(game, 10 * examples, seed + 3):
        for player in range(game.num_players):
            before = _views(state, player)
            for sample in range(2):
                other = _views(state.determinize(player, seed=sample), player)
                for what, shown in before.items():
                    if other.get(what) != shown:
                        yield f"{_at(state)}: {what} of player {player} shows what is hidden from it"
            scrambled = state.clone()
            for f in _hidden(game):
                _scramble(scrambled.record, f, player, rng)
            if scrambled.view(player) != state.view(player):
                yield f"{_at(state)}: `view` of player {player} shows a hidden field"


def _scramble(record: np.ndarray, f: Field, player: int, rng: np.random.Generator) -> None:
    values = record[f.name]
    own = values[0, player].copy() if f.sees == OWNER else None
    values[...] = rng.integers(0, 100, values.shape)
    if own is not None:
        values[0, player] = own


@check
def check_determinize(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """Four properties: samples differ; the own view stays; a sample is a position; neither the truth nor the future decide it."""
    held: Counter[str] = Counter()  # in how many positions a field hides something from somebody
    varied: set[str] = set()
    for state in positions(game, 24 * examples, seed + 4):
        for player in range(game.num_players):
            samples = [state.determinize(player, seed=k) for k in range(3)]
            yield from _wrong_samples(state, player, samples)
            for f in _hidden(game) if not state.is_terminal() else ():
                rows = [_hidden_part(sample, f, player) for sample in samples]
                held[f.name] += bool(np.isin(rows[0], [0, *([] if f.empty is None else [f.empty])], invert=True).any())
                varied |= {f.name} if any(not np.array_equal(rows[0], row) for row in rows) else set()
    for name, times in held.items():
        if times >= ENOUGH and name not in varied:
            yield f"{name}: hidden, but `determinize` never redraws it: samples hold the truth"


ENOUGH = 8  # positions that hide something: fewer may leave no choice by chance


def _hidden_part(state: State, f: Field, player: int) -> np.ndarray:
    """What a player cannot see of a field."""
    values = state.record[f.name][0]
    return np.delete(values[: state.game.num_players], player, 0) if f.sees == OWNER else values


def _wrong_samples(state: State, player: int, samples: list[State]) -> Iterator[str]:
    game = state.game
    for sample in samples:
        if sample.view(player) != state.view(player):
            yield f"{_at(state)}: `determinize` changes what player {player} knows"
        problem = next(findings(game, sample.record), None)
        if problem is not None:
            yield f"{_at(state)}: a sample for player {player} is no position, {problem[0]}: {problem[1]}"
        if sample.record["rng"][0] == state.record["rng"][0]:
            yield f"{_at(state)}: a sample for player {player} keeps the game's generator, and so its future"
        if sample.current_player() != state.current_player():
            yield f"{_at(state)}: `determinize` changes who is to act"
    again = samples[1].determinize(player, seed=0)
    if again.serialize() != samples[0].serialize():
        yield f"{_at(state)}: samples for player {player} depend on the truth: one seed redraws two equal-looking positions apart"


# --- Observations ------------------------------------------------------------------------------------------------------------


@check
def check_encoders(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """Observations lie in their space, are written whole and in bounds, and every number is described once."""
    if game.rules.features:
        yield from _wrong_features(game, positions(game, 6 * examples, seed + 5))
    for name in encoder_names():
        encoder = game.encoder(name)
        if encoder.show is None:
            for state in positions(game, 4 * examples, seed + 5):
                if not encoder.space.contains(state.observation(0, name)):
                    yield f"{name}: an observation lies outside its space"
            continue
        places = np.concatenate([s.indices().ravel() for s in encoder.slices])
        if not np.array_equal(np.sort(places), np.arange(encoder.size)):
            yield f"{name}: its slices do not name every number once"
        observe = build_observe(encoder.show)
        for state in positions(game, 12 * examples, seed + 5):
            for player in range(game.num_players):
                yield from _wrong_observation(state, player, name, observe)


def _wrong_observation(state: State, player: int, name: str, observe: Any) -> Iterator[str]:
    encoder, me = state.game.encoder(name), np.array([player])
    guard, low, high = 32, np.zeros(0), np.zeros(0)
    rows = []
    for fill in (-100, 100):
        buffer = np.full(encoder.size + guard, fill, encoder.dtype)
        observe(state.record, me, buffer[: encoder.size].reshape(1, -1))
        if (buffer[encoder.size :] != np.array(fill, encoder.dtype)).any():
            yield f"{name}: {_at(state)}: the kernel writes beyond its row"
        rows.append(buffer[: encoder.size].copy())
    low, high = rows
    if not np.array_equal(low, high):
        place = int(np.flatnonzero(low != high)[0])
        what = next((s.name for s in encoder.slices if place in s.indices()), "?")
        yield f"{name}: {_at(state)}: number {place} ({what}) is not written"
    elif not encoder.space.contains(low.reshape(encoder.shape)):
        bounds = encoder.space
        outside = np.flatnonzero((low < bounds.low.ravel()) | (low > bounds.high.ravel()) | np.isnan(low))  # type: ignore[attr-defined]
        place = int(outside[0]) if len(outside) else -1
        what = next((s.name for s in encoder.slices if place in s.indices()), "?")
        yield f"{name}: {_at(state)}: number {place} ({what}) of player {player} is {low[place]}, outside the space"


GAP, UNTOUCHED = 8, 77.0


@cache
def _spaced_writer(rules: Rules) -> Any:
    write = build_writer(rules.features, rules.schema.automaton, GAP)

    @kernel
    def write_first(states, me, out):
        return write(states[0], me, out, 0)

    return write_first


def _wrong_features(game: Game, states: list[State]) -> Iterator[str]:
    """Every writer fills its row, and nothing beyond it."""
    seats = game.rules.schema.seats_at(game.num_players)
    declared = [f for f in present(game.rules.features, game.num_players) for _ in range(f.rows(seats))]
    out = np.zeros(sum(f.size + GAP for f in declared) + GAP, np.float32)
    for state in states:
        for player in range(game.num_players):
            out[:] = UNTOUCHED
            _spaced_writer(game.rules)(state.record, player, out)
            at = 0
            for f in declared:
                row, beyond = out[at : at + f.size], out[at + f.size : at + f.size + GAP]
                if (row == UNTOUCHED).any():
                    yield f"feature {f.name}: {_at(state)}: it is declared with {f.size} numbers, but does not write them all"
                if (beyond != UNTOUCHED).any():
                    yield f"feature {f.name}: {_at(state)}: it is declared with {f.size} numbers, but writes more"
                at += f.size + GAP


# --- Interfaces --------------------------------------------------------------------------------------------------------------


@check
def check_faces(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """One game through every interface: the same positions, masks, observations and rewards."""
    for number in range(examples):
        for reward in REWARDS:
            yield from _wrong_trajectory(game, reward, seed + number)
    yield from _wrong_forfeit(game, seed)
    yield from _wrong_duel(game, seed)


def _wrong_trajectory(game: Game, reward: str, seed: int) -> Iterator[str]:
    state, rng = game.new_initial_state(seed=seed), np.random.default_rng(seed)
    aec, episode, batch = BoardGameEnv(game, reward=reward), Episode(game, reward), SelfPlay(game, 2, reward=reward, seed=seed)
    aec.reset(seed=seed)
    episode.begin(seed)
    points = np.array(state.scores())
    while not state.is_terminal():
        seen = aec.last()[0]
        if aec.game_state != state or episode.state != state or batch.states[:1].tobytes() != state.serialize():
            yield f"{reward}, {_at(state)}: the interfaces are not in the same position"
            return
        shown = (seen["observation"], state.observation(), batch.observations[0])
        if any(not np.array_equal(shown[0], other) for other in shown[1:]):
            yield f"{reward}, {_at(state)}: the interfaces show different observations"
        offered = (seen["action_mask"], state.legal_actions_mask(), batch.action_masks[0])
        if any(not np.array_equal(offered[0], other) for other in offered[1:]):
            yield f"{reward}, {_at(state)}: the interfaces show different masks"
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        aec.step(action)
        episode.act(action)
        other = batch.sample_actions()
        other[0] = action
        batch.step(other)
        before, points = points, np.array(state.scores())
        due = (points - before) / game.rules.score_scale if reward == "score_delta" else np.array(state.returns(reward))
        for face, paid in (
            ("PettingZoo", list(aec.rewards.values())),
            ("Episode", episode.rewards()),
            ("SelfPlay", batch.rewards[0]),
        ):
            if not np.allclose(paid, due, atol=1e-6):
                yield f"{reward}, {_at(state)}: {face} pays {np.round(paid, 4).tolist()}, due is {np.round(due, 4).tolist()}"
                return
    if not all(aec.terminations.values()) and not all(aec.truncations.values()):
        yield f"{reward}: the game is over, but PettingZoo goes on"


def _wrong_forfeit(game: Game, seed: int) -> Iterator[str]:
    """After an illegal action the position is the same everywhere, over, and can be saved and loaded."""
    aec, batch = BoardGameEnv(game), SelfPlay(game, 1, autoreset_mode="disabled", seed=seed)
    aec.reset(seed=seed)
    wrong = int(np.flatnonzero(batch.action_masks[0] == 0)[0]) if (batch.action_masks[0] == 0).any() else game.num_actions
    player = aec.game_state.current_player()
    aec.step(wrong)
    batch.step(np.array([wrong]))
    after = aec.game_state
    if not after.is_terminal() or after.forfeited_by() != player or after.legal_actions():
        yield f"an illegal action of player {player} does not end the game"
    if batch.game_state(0) != after:
        yield "after an illegal action the interfaces are not in the same position"
    due = [-1.0 if p == player else 0.0 for p in range(game.num_players)]
    if after.returns() != due or list(aec.rewards.values()) != due or batch.rewards[0].tolist() != due:
        yield f"a forfeit of player {player} pays {after.returns()}, due is {due}"
    if game.deserialize(after.serialize()) != after or game.from_dict(after.to_dict()) != after:
        yield "a forfeited game changes when it is saved and loaded"


def _wrong_duel(game: Game, seed: int, most: int = 200) -> Iterator[str]:
    """Gymnasium's single environment plays the games of lane 0 of the vector one."""
    single, many = SeatEnv(game, seat="random"), Duel(game, 2, seat="random", autoreset_mode="next_step")
    seen, info = single.reset(seed=seed)
    observations, infos = many.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for turn in range(most):
        if not np.array_equal(seen, observations[0]) or not np.array_equal(info["action_mask"], infos["action_mask"][0]):
            yield f"after {turn} decisions the vector environment shows something else than the single one"
            return
        actions = many.sample_actions().copy()
        actions[0] = rng.choice(np.flatnonzero(info["action_mask"]))
        seen, reward, terminated, truncated, info = single.step(int(actions[0]))
        observations, rewards, terminateds, truncateds, infos = many.step(actions)
        if abs(reward - rewards[0]) > 1e-6 or (terminated, truncated) != (bool(terminateds[0]), bool(truncateds[0])):
            yield f"after {turn + 1} decisions the vector environment pays or ends differently from the single one"
            return
        if terminated or truncated:
            return


@check
def check_players(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """Every named player chooses legal actions, leaves the position alone and repeats itself from the same seed."""
    for name in game.rules.named_policies:
        for state in positions(game, 24 * examples, seed + 6, ways=("random",)):
            if state.is_terminal():
                continue
            before = state.serialize()
            first, second = (act(agent(game, name, seed), state) for _ in range(2))
            if first not in state.legal_actions():
                yield f"{name}: {_at(state)}: chooses action {first}, which is not legal"
            if first != second:
                yield f"{name}: {_at(state)}: chooses differently from the same seed"
            if state.serialize() != before:
                yield f"{name}: {_at(state)}: changes the position while it thinks"


# --- Positions from outside --------------------------------------------------------------------------------------------------


@check
def check_positions(game: Game, examples: int = 1, seed: int = 0) -> Iterator[str]:
    """The fuzzer: mutated dictionaries and bytes are refused by field, or play on to the end. NUMBA_BOUNDSCHECK=1 sees more."""
    for number in range(examples):
        states = positions(game, 24, seed + 7 + 100 * number)
        mutants: Iterator[dict[str, Any] | bytes] = chain(
            dict_mutants(states, 120, seed + number), byte_mutants(states, 60, seed + number)
        )
        for at, mutant in enumerate(mutants):
            _, wrong = try_mutant(game, mutant, seed + at)
            if wrong is not None:
                yield wrong
