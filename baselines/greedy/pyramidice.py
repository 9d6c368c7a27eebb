"""GREEDY plays Pyramidice by rules of thumb, and tries out what its dice can do before it uses them."""

from __future__ import annotations

import numpy as np

from ...envs.core.kernel.jit import kernel
from ...envs.core.kernel.masks import clear, first_set
from ...envs.core.kernel.rng import Chance
from ...envs.pyramidice import actions, state
from ...envs.pyramidice import components as pieces
from ...envs.pyramidice.actions import ACTIONS, NUM_ACTIONS
from ...envs.pyramidice.building import affordable_spaces, usual_cost
from ...envs.pyramidice.cards import cards_left, has, owns
from ...envs.pyramidice.dice import dice_in_pool, dice_word, stone_dice_word
from ...envs.pyramidice.resources import can_pay, total
from ...envs.pyramidice.rules import PHASE_TABLE, step
from ...envs.pyramidice.scoring import project_fame, projects_fame, public_score
from ...envs.pyramidice.work import dice_missing

__all__ = ["POLICIES", "VALUE", "greedy"]

legal = PHASE_TABLE.legal

NO_ACTION = -1
CLOSE = 1e-9  # values this close are equal: the lower action wins

# --- What things are worth -----------------------------------------------------------------------------------------------------

RATES = {
    "Khnum": 0.5, "Satis": 0.5, "Anuket": 0.6, "Amon": 0.6, "Anubis": 0.2, "Aton": 0.3, "Bastet": 0.6, "Bes": 1.0, "Hapy": 0.8,
    "Heh": 1.0, "Heka": 0.9, "Khepri": 0.8, "Khonsu": 1.5, "Min": 0.5, "Ptah": 0.6, "Maat": 0.5, "Montu": 1.6, "Ra": 1.7,
    "Mertseger": 0.6, "Mut": 0.6, "Sekhmet": 2.5, "Neith": 1.0, "Serket": 1.0, "Seshat": 0.9, "Sobek": 1.6, "Sopdet": 0.5,
    "Thoth": 1.0,
}  # fmt: skip
RATE = np.array([RATES.get(god, 0.0) for god in pieces.GODS])  # Fame per own Work turn


@kernel
def turns_to_come(s):
    """Own Work turns until the end, guessed from the Stone dice and Gods that are left."""
    if s.pharaoh != state.NONE:
        return 0.5
    n = s.num_players
    return min(max(min(s.supply[pieces.STONE] / (1.2 * n), cards_left(s) / (2.0 * n)), 0.5), 6.0)


@kernel
def god_value(s, p, god):
    """What one more God is worth to p."""
    turns = turns_to_come(s)
    if god < pieces.NUM_ENNEAD:
        cards = s.ennead_cards[p]
        return pieces.ENNEAD_FAME[cards + 1] - pieces.ENNEAD_FAME[cards] + 0.5 * min(turns, 3.0)
    return pieces.END_FAME[god] + 0.8 * RATE[god] * turns


@kernel
def stack_value(s, p):
    cards = s.ennead_cards[p]
    return pieces.ENNEAD_FAME[cards] + 0.5 * cards * min(turns_to_come(s), 3.0)


@kernel
def judge(s, p):
    """The value of a position for p, in Fame."""
    return s.fame[p] + project_fame(s, s.project[p]) + gods_value(s, p) + board_value(s, p) + pool_value(s, p) - cult_risk(s, p)


@kernel
def value(s, p):
    """What the position is worth to p, in points: the score of a finished game, `judge` before."""
    return np.float64(public_score(s, p) + projects_fame(s, p)) if s.over else np.float64(judge(s, p))


@kernel
def gods_value(s, p):
    rates = 0.0
    for god in range(pieces.NUM_ENNEAD, pieces.NUM_GODS):
        if s.gods[p] >> god & 1:
            rates += RATE[god]
    return s.god_fame[p] + 0.8 * rates * turns_to_come(s) + stack_value(s, p)


@kernel
def board_value(s, p):
    w, c, stone = s.resources[p][pieces.WORKER], s.resources[p][pieces.CAT], s.resources[p][pieces.STONE]
    value = 1.3 * min(w, 5) + 0.7 * max(0, w - 5)
    value += 1.0 * min(c, 2) + 0.5 * max(0, c - 2)
    value += 0.9 * min(stone, 3) + 0.3 * max(0, stone - 3)
    return value if s.pharaoh == state.NONE else 0.35 * value


@kernel
def pool_value(s, p):
    if not s.in_work or s.turn_player != p:
        return 0.0
    value = 0.45 * dice_in_pool(s)
    for face in range(pieces.FACES):
        value += 0.1 * (face + 1) * s.pool[pieces.STONE_DIE][face]
    return value


@kernel
def cult_risk(s, p):
    borrowed = s.in_work and s.turn_player == p and s.copied == pieces.ANUBIS
    limit = (
        s.resources[p][pieces.WORKER]
        + s.resources[p][pieces.CAT]
        + (pieces.ANUBIS_LIMIT if borrowed or owns(s, p, pieces.ANUBIS) else 0)
    )
    gods = s.god_count[p]
    return 2.5 + 0.5 * (gods - limit) if gods > limit else 0.0


# --- Rules of thumb ------------------------------------------------------------------------------------------------------------

SCARAB_VALUES = {
    "Amethyst": 6, "Silver": 5, "Pearl": 8, "Emerald": 4, "Quartz": 6, "Obsidian": 9,
    "Gold": 7, "Ruby": 10, "LapisLazuli": 8, "Turquoise": 7, "Carnelian": 5, "Malachite": 9,
}  # fmt: skip
SCARAB_VALUE = np.array([SCARAB_VALUES[scarab] for scarab in pieces.SCARABS])
TILE_VALUE = np.zeros(pieces.NUM_TILES)
TILE_VALUE[[pieces.TILE_WORK, pieces.TILE_EACH, pieces.TILE_THREE, pieces.TILE_SWAP, pieces.TILE_FEAST]] = 2.7, 2.0, 2.1, 1.4, 2.0
HAPY_VALUE = 2.0
PAYING_ORDER = np.array(
    [
        actions.DIE + pieces.FACES * kind + face
        for kind in (pieces.VIRTUAL, pieces.PRAYER, pieces.STONE_DIE)
        for face in range(pieces.FACES)
    ]
)


@kernel
def rule_of_thumb(s, mask):
    """The choice in every phase but those that are looked ahead."""
    phase = s.phase
    if phase == state.PAY_DIE:
        return die_to_pay(mask)
    if phase == state.PAY_UNIT:
        return unit_to_pay(s, mask)
    if phase == state.CHOOSE_COST:
        usual = usual_cost(s, s.build_value, s.build_space)
        return actions.COST_USUAL if usual == 0 or has(s, pieces.THOTH) else actions.COST_SESHAT
    if phase == state.PICK:
        return resource_to_gain(s, mask)
    if phase == state.LOSE_ONE:
        return resource_to_lose(s, mask)
    if phase in (state.TURN, state.REST_TURN):
        return turn_to_take(s, mask)
    if phase == state.CHOOSE_DICE:
        return most_stone_dice(mask)
    if phase == state.CHOOSE_REROLL:
        return die_to_reroll(s, mask)
    if phase == state.FREE_GOD:
        return god_to_take(s, mask)
    if phase == state.DROP_GOD:
        return god_to_drop(s, mask)
    if phase == state.ANSWER_PEARL:
        return actions.PEARL_YES if s.pearl_fame >= 3 else actions.PEARL_NO
    if phase == state.CHOOSE_SCARAB:
        return scarab_to_keep(mask)
    return first_set(mask)


@kernel
def scarab_to_keep(mask):
    best, best_value = NO_ACTION, -1
    for i in range(pieces.NUM_SCARABS):
        if mask[actions.KEEP + i] and SCARAB_VALUE[i] > best_value:
            best, best_value = actions.KEEP + i, SCARAB_VALUE[i]
    return best


@kernel
def turn_to_take(s, mask):
    own = s.resources[s.turn_player]
    strong = total(s, s.turn_player) >= 5 and own[pieces.WORKER] >= 3 and own[pieces.STONE] + s.quarry[pieces.STONE_DIE] >= 1
    if mask[actions.WORK] and (strong or s.pharaoh == s.turn_player):
        return actions.WORK
    if mask[actions.BES_FIRST]:
        return actions.BES_FIRST
    # A penalty for a full board would be the same for every option: it cannot change the best one.
    best, best_value = actions.WORK, -np.inf
    for tile in range(pieces.NUM_TILES):
        if mask[actions.REST + tile] and tile_value(s, tile) > best_value + CLOSE:
            best, best_value = actions.REST + tile, tile_value(s, tile)
    if mask[actions.HAPY_INSTEAD] and best_value + CLOSE < HAPY_VALUE:
        best = actions.HAPY_INSTEAD
    return best


@kernel
def tile_value(s, tile):
    own = s.resources[s.turn_player]
    if tile == pieces.TILE_GOD:
        return best_god_value(s) - 2.0
    if tile == pieces.TILE_WORK and own[pieces.WORKER] < 4:
        return 0.2
    if TILE_VALUE[tile] > 0:
        return TILE_VALUE[tile]
    first, second = pieces.TILE_UNITS[tile, 0], pieces.TILE_UNITS[tile, 1]
    return unit_value(first, own[first]) + unit_value(second, own[second] + (first == second))


@kernel
def unit_value(resource, owned):
    if resource == pieces.WORKER:
        return 0.6 if owned >= 5 else 1.1
    if resource == pieces.CAT:
        return 0.4 if owned >= 2 else 0.9
    return 0.4 if owned >= 2 else 1.0


@kernel
def best_god_value(s):
    best = -np.inf
    for i in range(pieces.ROW):
        if s.row[i] != state.NONE:
            best = max(best, god_value(s, s.turn_player, s.row[i]))
    return best


@kernel
def god_to_take(s, mask):
    best, best_value = NO_ACTION, -np.inf
    for i in range(pieces.ROW):
        if mask[actions.FREE + i] and god_value(s, s.turn_player, s.row[i]) > best_value + CLOSE:
            best, best_value = actions.FREE + i, god_value(s, s.turn_player, s.row[i])
    return best


@kernel
def god_to_drop(s, mask):
    """The one that is missed least."""
    p = s.turn_player
    best, best_value = NO_ACTION, np.inf
    for i in range(1 + pieces.NUM_GODS - pieces.NUM_ENNEAD):
        if mask[actions.DROP + i]:
            value = stack_value(s, p) if i == 0 else god_value(s, p, pieces.NUM_ENNEAD + i - 1)
            if value < best_value - CLOSE:
                best, best_value = actions.DROP + i, value
    return best


@kernel
def resource_to_gain(s, mask):
    own = s.resources[s.current_player]
    best, best_key = NO_ACTION, np.inf
    for resource in range(pieces.NUM_RESOURCES):
        if resource == pieces.WORKER:
            key = own[pieces.WORKER] - 4.5
        elif resource == pieces.CAT:
            key = 1.6 * (own[pieces.CAT] - 1.2)
        else:
            key = -3.0 if s.in_work else 1.6 * (own[pieces.STONE] - 1.5)
        if mask[actions.GAIN + resource] and key < best_key - CLOSE:
            best, best_key = actions.GAIN + resource, key
    return best


@kernel
def resource_to_lose(s, mask):
    """What there is most of; equal: a Stone die rather than a Cat rather than a Worker."""
    own = s.resources[s.current_player]
    best, best_key = NO_ACTION, -np.inf
    for resource in range(pieces.NUM_RESOURCES):
        key = own[pieces.WORKER] - 4.0 if resource == pieces.WORKER else 1.3 * (own[resource] - 1.0)
        if mask[actions.LOSE + resource] and key > best_key - CLOSE:
            best, best_key = actions.LOSE + resource, key
    return best


@kernel
def most_stone_dice(mask):
    dice = actions.MOST_STONE_DICE
    while not mask[actions.DICE + dice]:
        dice -= 1
    return actions.DICE + dice


@kernel
def die_to_pay(mask):
    i = 0
    while not mask[PAYING_ORDER[i]]:
        i += 1
    return PAYING_ORDER[i]


@kernel
def unit_to_pay(s, mask):
    own = s.resources[s.turn_player]
    if mask[actions.PAY_GOLD]:
        return actions.PAY_GOLD
    if mask[actions.PAY + pieces.CAT] and (own[pieces.CAT] >= own[pieces.WORKER] or not mask[actions.PAY + pieces.WORKER]):
        return actions.PAY + pieces.CAT
    return actions.PAY + pieces.WORKER


# --- The reroll: keep what the best God within reach costs, and high Stone dice that can be built ------------------------------


@kernel
def god_in_reach(s):
    stone_dice, dice = stone_dice_word(s), dice_word(s)
    best, best_value = state.NONE, 0.8
    for i in range(pieces.ROW):
        god = s.row[i]
        if god != state.NONE and can_pay(s, pieces.COST_WORKERS[god], pieces.COST_CATS[god]):
            value = god_value(s, s.turn_player, god) * 0.55 ** dice_missing(god, stone_dice, dice)
            if value > best_value + CLOSE:
                best, best_value = god, value
    return best


@kernel
def dice_outside_keep(s, kind, face, god):
    """How many dice of a kind and value serve neither `god` nor a build; virtual and Prayer dice pay before Stone dice."""
    dice = s.pool[kind][face]
    if kind == pieces.STONE_DIE and face >= 3 and affordable_spaces(s, face + 1) != 0:
        return 0
    if god == state.NONE:
        return dice
    wanted = max(0, pieces.COST_OF_VALUE[god, face] - s.pool[pieces.VIRTUAL][face])
    if kind == pieces.STONE_DIE:
        wanted = pieces.COST_STONE[god, face] + max(0, wanted - s.pool[pieces.PRAYER][face])
    return max(0, dice - wanted)


@kernel
def dice_to_reroll(s):
    god = god_in_reach(s)
    dice = 0
    for kind in range(pieces.REAL_KINDS):
        for face in range(pieces.FACES):
            dice += dice_outside_keep(s, kind, face, god)
    return dice


@kernel
def die_to_reroll(s, mask):
    god = god_in_reach(s)
    for i in range(pieces.REAL_KINDS * pieces.FACES):
        if mask[actions.DIE + i] and dice_outside_keep(s, i // pieces.FACES, i % pieces.FACES, god) > 0:
            return actions.DIE + i
    return actions.ROLL if mask[actions.ROLL] else first_set(mask)


# --- Looking ahead: every rolled die shows a 3 ---------------------------------------------------------------------------------


def _of_kinds(*kinds: str, without: tuple[str, ...] = ()) -> np.ndarray:
    return np.array([ACTIONS.kind_of(a) in kinds and name not in without for a, name in enumerate(ACTIONS.names)])


USE_MAAT = ACTIONS.index["use Maat"]
TRIED = _of_kinds("cat", "build", "worship", "copy", "fame", "use", "virtual", without=("use Maat",))
EXTENDED = _of_kinds("cat", "copy", "virtual") | np.isin(ACTIONS.names, ("use Amon", "use Mut"))  # they only prepare another action
EXTENSION = _of_kinds("build", "worship", "use", "virtual", without=("use Amon", "use Mut", "use Maat", "use Aton"))


def _counter_before_a_three() -> np.uint64:
    counter = 0
    while Chance(counter).below(pieces.FACES) != 2:
        counter += 1
    return np.uint64(counter)


BEFORE_A_THREE = _counter_before_a_three()
NEVER = 99


@kernel
def look_ahead(s, action, extended, scratch, masks):
    """The best value that an action leads to: over its nested choices and, if it only prepares, over one more action."""
    p = s.turn_player
    best = -np.inf
    scratch[0] = s
    clear(masks[0])
    masks[0][action] = 1
    depth, extended_at = 0, NEVER
    while depth >= 0:
        action = next_action(masks[depth])
        if action == NO_ACTION:
            depth -= 1
            if depth < extended_at:
                extended_at = NEVER
            continue
        masks[depth][action] = 0
        scratch[depth + 1] = scratch[depth]
        depth += 1
        node, mask = scratch[depth], masks[depth]
        node.rng = BEFORE_A_THREE
        step(node, action)
        clear(mask)
        if node.phase in (state.PAY_DIE, state.PAY_UNIT, state.CHOOSE_COST, state.PICK, state.LOSE_ONE):
            legal(node, mask)
            action = rule_of_thumb(node, mask)
            clear(mask)
            mask[action] = 1
        elif is_nested(node):
            legal(node, mask)
        else:
            best = max(best, judge(node, p))
            if node.phase == state.USE and extended and extended_at == NEVER:
                extended_at = depth
                legal(node, mask)
                for a in range(NUM_ACTIONS):
                    mask[a] &= EXTENSION[a]
    return best


@kernel
def next_action(mask):
    words = mask.view(np.uint64)
    for i in range(len(words)):
        if words[i] != 0:
            return first_set(mask)
    return NO_ACTION


@kernel
def is_nested(s):
    """A choice within an action, made by looking ahead."""
    if s.phase == state.DROP_GOD:
        return s.drop_reason == state.FOR_ATON
    return s.phase in (state.BUILD_AT, state.CHANGE_FROM, state.CHANGE_TO)


@kernel
def greedy(s, mask, counter, scratch, masks):
    if s.phase != state.USE and not is_nested(s):
        return rule_of_thumb(s, mask)
    best, best_value = NO_ACTION, -np.inf
    preparing = s.phase in (state.CHANGE_FROM, state.CHANGE_TO)
    for action in range(NUM_ACTIONS):
        if mask[action] and (s.phase != state.USE or TRIED[action]):
            value = look_ahead(s, action, preparing or EXTENDED[action], scratch, masks)
            if value > best_value + CLOSE:
                best, best_value = action, value
    if s.phase != state.USE:
        return best
    return use_or_reroll(s, mask, best, best_value - judge(s, s.turn_player))


@kernel
def use_or_reroll(s, mask, best, gain):
    if gain < 1.5 and (mask[actions.REROLL] or mask[USE_MAAT]):
        dice = dice_to_reroll(s)
        if dice >= 1 and (gain < 0.6 or dice >= 3):
            return actions.REROLL if mask[actions.REROLL] else USE_MAAT
    if gain > 0:
        return best
    return actions.GAIN_FAME if mask[actions.GAIN_FAME] else actions.END_DICE


POLICIES = {"greedy": greedy}
VALUE = value
