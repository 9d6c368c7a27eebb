"""GREEDY plays Pyramidice by rules of thumb, and tries out what its dice can do before it uses them."""

from __future__ import annotations

import numpy as np

from ...envs.core.jit import kernel
from ...envs.core.masks import clear, first_set
from ...envs.core.rng import Chance
from ...envs.pyramidice.actions import (
    ACTIONS,
    BES_FIRST,
    COST_SESHAT,
    COST_USUAL,
    DICE,
    DIE,
    DROP,
    END_DICE,
    FREE,
    GAIN,
    GAIN_FAME,
    HAPY_INSTEAD,
    KEEP,
    LOSE,
    MOST_STONE_DICE,
    NUM_ACTIONS,
    PAY,
    PAY_GOLD,
    PEARL_NO,
    PEARL_YES,
    REROLL,
    REST,
    ROLL,
    WORK,
)
from ...envs.pyramidice.building import affordable_spaces, usual_cost
from ...envs.pyramidice.cards import cards_left, has, owns
from ...envs.pyramidice.components import (
    ANUBIS,
    ANUBIS_LIMIT,
    CAT,
    COST_CATS,
    COST_OF_VALUE,
    COST_STONE,
    COST_WORKERS,
    END_FAME,
    ENNEAD_FAME,
    FACES,
    GODS,
    NUM_ENNEAD,
    NUM_GODS,
    NUM_RESOURCES,
    NUM_SCARABS,
    NUM_TILES,
    PRAYER,
    REAL_KINDS,
    ROW,
    SCARABS,
    STONE,
    STONE_DIE,
    THOTH,
    TILE_EACH,
    TILE_FEAST,
    TILE_GOD,
    TILE_SWAP,
    TILE_THREE,
    TILE_UNITS,
    TILE_WORK,
    VIRTUAL,
    WORKER,
)
from ...envs.pyramidice.dice import dice_in_pool
from ...envs.pyramidice.resources import can_pay, total
from ...envs.pyramidice.rules import legal, step
from ...envs.pyramidice.scoring import project_fame
from ...envs.pyramidice.state import (
    ANSWER_PEARL,
    BUILD_AT,
    CHANGE_FROM,
    CHANGE_TO,
    CHOOSE_COST,
    CHOOSE_DICE,
    CHOOSE_REROLL,
    CHOOSE_SCARAB,
    DROP_GOD,
    FOR_ATON,
    FREE_GOD,
    LOSE_ONE,
    NONE,
    PAY_DIE,
    PAY_UNIT,
    PICK,
    REST_TURN,
    TURN,
    USE,
)
from ...envs.pyramidice.work import dice_missing

__all__ = ["POLICIES", "greedy"]

NO_ACTION = -1
CLOSE = 1e-9  # values this close are equal: the lower action wins

# --- What things are worth -----------------------------------------------------------------------------------------------------

RATES = {
    "Khnum": 0.5, "Satis": 0.5, "Anuket": 0.6, "Amon": 0.6, "Anubis": 0.2, "Aton": 0.3, "Bastet": 0.6, "Bes": 1.0, "Hapy": 0.8,
    "Heh": 1.0, "Heka": 0.9, "Khepri": 0.8, "Khonsu": 1.5, "Min": 0.5, "Ptah": 0.6, "Maat": 0.5, "Montu": 1.6, "Ra": 1.7,
    "Mertseger": 0.6, "Mut": 0.6, "Sekhmet": 2.5, "Neith": 1.0, "Serket": 1.0, "Seshat": 0.9, "Sobek": 1.6, "Sopdet": 0.5,
    "Thoth": 1.0,
}  # fmt: skip
RATE = np.array([RATES.get(god, 0.0) for god in GODS])  # Fame per own Work turn


@kernel
def turns_to_come(s):
    """Own Work turns until the end, guessed from the Stone dice and Gods that are left."""
    if s.pharaoh != NONE:
        return 0.5
    n = s.num_players
    return min(max(min(s.supply[STONE] / (1.2 * n), cards_left(s) / (2.0 * n)), 0.5), 6.0)


@kernel
def god_value(s, p, god):
    """What one more God is worth to p."""
    turns = turns_to_come(s)
    if god < NUM_ENNEAD:
        cards = s.ennead_cards[p]
        return ENNEAD_FAME[cards + 1] - ENNEAD_FAME[cards] + 0.5 * min(turns, 3.0)
    return END_FAME[god] + 0.8 * RATE[god] * turns


@kernel
def stack_value(s, p):
    cards = s.ennead_cards[p]
    return ENNEAD_FAME[cards] + 0.5 * cards * min(turns_to_come(s), 3.0)


@kernel
def judge(s, p):
    """The value of a position for p, in Fame."""
    return s.fame[p] + project_fame(s, s.project[p]) + gods_value(s, p) + board_value(s, p) + pool_value(s, p) - cult_risk(s, p)


@kernel
def gods_value(s, p):
    rates = 0.0
    for god in range(NUM_ENNEAD, NUM_GODS):
        if s.gods[p] >> god & 1:
            rates += RATE[god]
    return s.god_fame[p] + 0.8 * rates * turns_to_come(s) + stack_value(s, p)


@kernel
def board_value(s, p):
    w, c, stone = s.resources[p][WORKER], s.resources[p][CAT], s.resources[p][STONE]
    value = 1.3 * min(w, 5) + 0.7 * max(0, w - 5)
    value += 1.0 * min(c, 2) + 0.5 * max(0, c - 2)
    value += 0.9 * min(stone, 3) + 0.3 * max(0, stone - 3)
    return value if s.pharaoh == NONE else 0.35 * value


@kernel
def pool_value(s, p):
    if not s.in_work or s.turn_player != p:
        return 0.0
    value = 0.45 * dice_in_pool(s)
    for face in range(FACES):
        value += 0.1 * (face + 1) * s.pool[STONE_DIE][face]
    return value


@kernel
def cult_risk(s, p):
    borrowed = s.in_work and s.turn_player == p and s.copied == ANUBIS
    limit = s.resources[p][WORKER] + s.resources[p][CAT] + (ANUBIS_LIMIT if borrowed or owns(s, p, ANUBIS) else 0)
    gods = s.god_count[p]
    return 2.5 + 0.5 * (gods - limit) if gods > limit else 0.0


# --- Rules of thumb ------------------------------------------------------------------------------------------------------------

SCARAB_VALUES = {
    "Amethyst": 6, "Silver": 5, "Pearl": 8, "Emerald": 4, "Quartz": 6, "Obsidian": 9,
    "Gold": 7, "Ruby": 10, "LapisLazuli": 8, "Turquoise": 7, "Carnelian": 5, "Malachite": 9,
}  # fmt: skip
SCARAB_VALUE = np.array([SCARAB_VALUES[scarab] for scarab in SCARABS])
TILE_VALUE = np.zeros(NUM_TILES)
TILE_VALUE[[TILE_WORK, TILE_EACH, TILE_THREE, TILE_SWAP, TILE_FEAST]] = 2.7, 2.0, 2.1, 1.4, 2.0
HAPY_VALUE = 2.0
PAYING_ORDER = np.array([DIE + FACES * kind + face for kind in (VIRTUAL, PRAYER, STONE_DIE) for face in range(FACES)])


@kernel
def rule_of_thumb(s, mask):
    """The choice in every phase but those that are looked ahead."""
    phase = s.phase
    if phase == PAY_DIE:
        return die_to_pay(mask)
    if phase == PAY_UNIT:
        return unit_to_pay(s, mask)
    if phase == CHOOSE_COST:
        usual = usual_cost(s, s.build_value, s.build_space)
        return COST_USUAL if usual == 0 or has(s, THOTH) else COST_SESHAT
    if phase == PICK:
        return resource_to_gain(s, mask)
    if phase == LOSE_ONE:
        return resource_to_lose(s, mask)
    if phase in (TURN, REST_TURN):
        return turn_to_take(s, mask)
    if phase == CHOOSE_DICE:
        return most_stone_dice(mask)
    if phase == CHOOSE_REROLL:
        return die_to_reroll(s, mask)
    if phase == FREE_GOD:
        return god_to_take(s, mask)
    if phase == DROP_GOD:
        return god_to_drop(s, mask)
    if phase == ANSWER_PEARL:
        return PEARL_YES if s.pearl_fame >= 3 else PEARL_NO
    if phase == CHOOSE_SCARAB:
        return scarab_to_keep(mask)
    return first_set(mask)


@kernel
def scarab_to_keep(mask):
    best, best_value = NO_ACTION, -1
    for i in range(NUM_SCARABS):
        if mask[KEEP + i] and SCARAB_VALUE[i] > best_value:
            best, best_value = KEEP + i, SCARAB_VALUE[i]
    return best


@kernel
def turn_to_take(s, mask):
    own = s.resources[s.turn_player]
    strong = total(s, s.turn_player) >= 5 and own[WORKER] >= 3 and own[STONE] + s.quarry[STONE_DIE] >= 1
    if mask[WORK] and (strong or s.pharaoh == s.turn_player):
        return WORK
    if mask[BES_FIRST]:
        return BES_FIRST
    # The spec takes a penalty for a full board off every option alike: it cannot change the best one.
    best, best_value = WORK, -np.inf
    for tile in range(NUM_TILES):
        if mask[REST + tile] and tile_value(s, tile) > best_value + CLOSE:
            best, best_value = REST + tile, tile_value(s, tile)
    if mask[HAPY_INSTEAD] and best_value + CLOSE < HAPY_VALUE:
        best = HAPY_INSTEAD
    return best


@kernel
def tile_value(s, tile):
    own = s.resources[s.turn_player]
    if tile == TILE_GOD:
        return best_god_value(s) - 2.0
    if tile == TILE_WORK and own[WORKER] < 4:
        return 0.2
    if TILE_VALUE[tile] > 0:
        return TILE_VALUE[tile]
    first, second = TILE_UNITS[tile, 0], TILE_UNITS[tile, 1]
    return unit_value(first, own[first]) + unit_value(second, own[second] + (first == second))


@kernel
def unit_value(resource, owned):
    if resource == WORKER:
        return 0.6 if owned >= 5 else 1.1
    if resource == CAT:
        return 0.4 if owned >= 2 else 0.9
    return 0.4 if owned >= 2 else 1.0


@kernel
def best_god_value(s):
    best = -np.inf
    for i in range(ROW):
        if s.row[i] != NONE:
            best = max(best, god_value(s, s.turn_player, s.row[i]))
    return best


@kernel
def god_to_take(s, mask):
    best, best_value = NO_ACTION, -np.inf
    for i in range(ROW):
        if mask[FREE + i] and god_value(s, s.turn_player, s.row[i]) > best_value + CLOSE:
            best, best_value = FREE + i, god_value(s, s.turn_player, s.row[i])
    return best


@kernel
def god_to_drop(s, mask):
    """The one that is missed least."""
    p = s.turn_player
    best, best_value = NO_ACTION, np.inf
    for i in range(1 + NUM_GODS - NUM_ENNEAD):
        if mask[DROP + i]:
            value = stack_value(s, p) if i == 0 else god_value(s, p, NUM_ENNEAD + i - 1)
            if value < best_value - CLOSE:
                best, best_value = DROP + i, value
    return best


@kernel
def resource_to_gain(s, mask):
    own = s.resources[s.current_player]
    best, best_key = NO_ACTION, np.inf
    for resource in range(NUM_RESOURCES):
        if resource == WORKER:
            key = own[WORKER] - 4.5
        elif resource == CAT:
            key = 1.6 * (own[CAT] - 1.2)
        else:
            key = -3.0 if s.in_work else 1.6 * (own[STONE] - 1.5)
        if mask[GAIN + resource] and key < best_key - CLOSE:
            best, best_key = GAIN + resource, key
    return best


@kernel
def resource_to_lose(s, mask):
    """What there is most of; equal: a Stone die rather than a Cat rather than a Worker."""
    own = s.resources[s.current_player]
    best, best_key = NO_ACTION, -np.inf
    for resource in range(NUM_RESOURCES):
        key = own[WORKER] - 4.0 if resource == WORKER else 1.3 * (own[resource] - 1.0)
        if mask[LOSE + resource] and key > best_key - CLOSE:
            best, best_key = LOSE + resource, key
    return best


@kernel
def most_stone_dice(mask):
    dice = MOST_STONE_DICE
    while not mask[DICE + dice]:
        dice -= 1
    return DICE + dice


@kernel
def die_to_pay(mask):
    i = 0
    while not mask[PAYING_ORDER[i]]:
        i += 1
    return PAYING_ORDER[i]


@kernel
def unit_to_pay(s, mask):
    own = s.resources[s.turn_player]
    if mask[PAY_GOLD]:
        return PAY_GOLD
    if mask[PAY + CAT] and (own[CAT] >= own[WORKER] or not mask[PAY + WORKER]):
        return PAY + CAT
    return PAY + WORKER


# --- The reroll: keep what the best God within reach costs, and high Stone dice that can be built ------------------------------


@kernel
def god_in_reach(s):
    dice = dice_in_pool(s)
    best, best_value = NONE, 0.8
    for i in range(ROW):
        god = s.row[i]
        if god != NONE and can_pay(s, COST_WORKERS[god], COST_CATS[god]):
            value = god_value(s, s.turn_player, god) * 0.55 ** dice_missing(s, god, dice)
            if value > best_value + CLOSE:
                best, best_value = god, value
    return best


@kernel
def dice_outside_keep(s, kind, face, god):
    """How many dice of a kind and value serve neither `god` nor a build; virtual and Prayer dice pay before Stone dice."""
    dice = s.pool[kind][face]
    if kind == STONE_DIE and face >= 3 and affordable_spaces(s, face + 1) != 0:
        return 0
    if god == NONE:
        return dice
    wanted = max(0, COST_OF_VALUE[god, face] - s.pool[VIRTUAL][face])
    if kind == STONE_DIE:
        wanted = COST_STONE[god, face] + max(0, wanted - s.pool[PRAYER][face])
    return max(0, dice - wanted)


@kernel
def dice_to_reroll(s):
    god = god_in_reach(s)
    dice = 0
    for kind in range(REAL_KINDS):
        for face in range(FACES):
            dice += dice_outside_keep(s, kind, face, god)
    return dice


@kernel
def die_to_reroll(s, mask):
    god = god_in_reach(s)
    for i in range(REAL_KINDS * FACES):
        if mask[DIE + i] and dice_outside_keep(s, i // FACES, i % FACES, god) > 0:
            return DIE + i
    return ROLL if mask[ROLL] else first_set(mask)


# --- Looking ahead: every rolled die shows a 3 ---------------------------------------------------------------------------------


def _of_kinds(*kinds: str, without: tuple[str, ...] = ()) -> np.ndarray:
    return np.array([ACTIONS.kind_of(a) in kinds and name not in without for a, name in enumerate(ACTIONS.names)])


USE_MAAT = ACTIONS.index["use Maat"]
TRIED = _of_kinds("cat", "build", "worship", "copy", "fame", "use", "virtual", without=("use Maat",))
EXTENDED = _of_kinds("cat", "copy", "virtual") | np.isin(ACTIONS.names, ("use Amon", "use Mut"))  # they only prepare another action
EXTENSION = _of_kinds("build", "worship", "use", "virtual", without=("use Amon", "use Mut", "use Maat", "use Aton"))


def _counter_before_a_three() -> np.uint64:
    counter = 0
    while Chance(counter).below(FACES) != 2:
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
        if node.phase in (PAY_DIE, PAY_UNIT, CHOOSE_COST, PICK, LOSE_ONE):
            legal(node, mask)
            action = rule_of_thumb(node, mask)
            clear(mask)
            mask[action] = 1
        elif is_nested(node):
            legal(node, mask)
        else:
            best = max(best, judge(node, p))
            if node.phase == USE and extended and extended_at == NEVER:
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
    if s.phase == DROP_GOD:
        return s.drop_reason == FOR_ATON
    return s.phase in (BUILD_AT, CHANGE_FROM, CHANGE_TO)


@kernel
def greedy(s, mask, counter, scratch, masks):
    if s.phase != USE and not is_nested(s):
        return rule_of_thumb(s, mask)
    best, best_value = NO_ACTION, -np.inf
    preparing = s.phase in (CHANGE_FROM, CHANGE_TO)
    for action in range(NUM_ACTIONS):
        if mask[action] and (s.phase != USE or TRIED[action]):
            value = look_ahead(s, action, preparing or EXTENDED[action], scratch, masks)
            if value > best_value + CLOSE:
                best, best_value = action, value
    if s.phase != USE:
        return best
    return use_or_reroll(s, mask, best, best_value - judge(s, s.turn_player))


@kernel
def use_or_reroll(s, mask, best, gain):
    if gain < 1.5 and (mask[REROLL] or mask[USE_MAAT]):
        dice = dice_to_reroll(s)
        if dice >= 1 and (gain < 0.6 or dice >= 3):
            return REROLL if mask[REROLL] else USE_MAAT
    if gain > 0:
        return best
    return GAIN_FAME if mask[GAIN_FAME] else END_DICE


POLICIES = {"greedy": greedy}
