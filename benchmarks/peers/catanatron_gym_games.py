"""Catanatron behind its Gymnasium environment: one seat is the agent, random players move inside the step."""

from __future__ import annotations

from ..measure import Case, Run

INCLUDES = ("legal list", "observation", "reset", "opponents inside")


def cases() -> list[Case]:
    return [Case("catanatron-gym", "catan", 2, "gymnasium", 1, 1, INCLUDES, prepare)]


def prepare() -> Run:
    import random

    from catanatron_gym.envs import CatanatronEnv

    rng = random.Random(1)
    env = CatanatronEnv()
    env.reset(seed=1)

    def run(steps: int) -> int:
        done = 0
        while done < steps:
            before = len(env.game.state.actions)
            _, _, terminated, truncated, _ = env.step(rng.choice(env.get_valid_actions()))
            done += len(env.game.state.actions) - before  # everybody's decisions, the opponent's too
            if terminated or truncated:
                env.reset()
                done += len(env.game.state.actions)  # the opponent may begin, inside the reset
        return done

    run(10)
    return run
