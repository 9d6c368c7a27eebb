"""The command line: `mastaba demo`, `games`, `play`, `bench`, `train`, `warmup`, `docs`."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from .envs.core.game import Game
from .envs.registry import GAMES, rules
from .envs.registry import game as make_game

app = typer.Typer(add_completion=False, no_args_is_help=True, help="Pyramid-building board games for reinforcement learning.")
console = Console()

GameName = Annotated[str, typer.Argument(help=f"one of {', '.join(GAMES)}")]
Players = Annotated[int | None, typer.Option("--players", "-n", help="players at the table")]
WRONG_INPUT = 2


def main() -> None:
    app()


@contextmanager
def one_clear_line() -> Iterator[None]:
    """Wrong input ends with one line that names what is allowed, and exit code 2."""
    try:
        yield
    except typer.Exit:  # a RuntimeError, but nobody's mistake
        raise
    except (ValueError, RuntimeError, OSError) as error:
        _refuse(str(error))


def _refuse(message: str) -> NoReturn:
    Console(stderr=True, soft_wrap=True).print(f"[red]mastaba:[/red] {escape(message)}", highlight=False)
    raise typer.Exit(WRONG_INPUT)


def progress_bar() -> Progress:
    return Progress(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console)


# --- What there is -----------------------------------------------------------------------------------------------------------


@app.command()
def games() -> None:
    """The games: players, actions, sizes, named players."""
    from .baselines.agents import policy_names
    from .envs.registration import gymnasium_id

    table = Table("game", "title", "players", "actions", "state", "observation", "Gymnasium id", "agents")
    for name in GAMES:
        game = make_game(name)
        size = f"{game.rules.schema.dtype.itemsize} B"
        counts = f"{min(game.rules.players)}-{max(game.rules.players)}"
        agents = ", ".join(policy_names(name))
        table.add_row(
            name, game.rules.title, counts, str(game.num_actions), size, str(game.encoder.size), gymnasium_id(name), agents
        )
    console.print(table)


@app.command()
def warmup(only: Annotated[list[str] | None, typer.Argument(help="games; all if none is named")] = None) -> None:
    """Compile now what rules, players, batches and vector environments need (with one thread), so that nothing waits later."""
    from .compiling import STAGES

    with one_clear_line():
        _compile([make_game(name).name for name in only or GAMES], STAGES)


def _compile(names: Sequence[str], stages: Iterable[str]) -> None:
    from .compiling import compile_games

    with progress_bar() as progress:
        task = progress.add_task("compiling", total=len(names))
        compile_games(names, stages, lambda name: progress.update(task, advance=1, description=f"compiling (done: {name})"))


# --- Showing off -------------------------------------------------------------------------------------------------------------


@app.command()
def demo(
    games_each: Annotated[int, typer.Option("--games", min=1, help="games per pairing")] = 100,
    seed: int = 0,
) -> None:
    """Play every game with random and greedy players; show a finished board, win rates and steps per second."""
    from .baselines.agents import agent
    from .baselines.tournament import evaluate
    from .benchmarks.measure import human
    from .benchmarks.throughput import random_playout
    from .compiling import DEMO_STAGES, is_compiled

    with one_clear_line():
        if missing := [name for name in GAMES if not is_compiled(make_game(name))]:
            _compile(missing, DEMO_STAGES)
    table = Table("game", "players", "greedy wins (95 %)", "score", "random's", "steps/s")
    table.columns[0].no_wrap = True
    with one_clear_line(), progress_bar() as progress:
        task = progress.add_task("", total=len(GAMES) * games_each)
        for done, name in enumerate(GAMES):
            game = make_game(name)
            progress.update(task, description=name)
            run = random_playout(game)
            greedy, opponent = agent(game, "greedy", seed), agent(game, "random", seed + 1)
            played = partial(_show_progress, progress, task, done * games_each)
            result = evaluate(game, greedy, opponent, games_each, seed, played)
            start = time.process_time()
            steps = run(500_000)
            speed = steps / (time.process_time() - start)
            table.add_row(
                name,
                str(game.num_players),
                f"{result.rate:.0%} ({result.low:.0%}-{result.high:.0%})",
                f"{result.mean_score:.1f}",
                f"{result.opponent_score:.1f}",
                human(speed),
            )
    console.print(f"\nA finished game of {rules(GAMES[0]).title}, greedy players:\n", highlight=False)
    console.print(_finished_board(make_game(GAMES[0]), seed), highlight=False, markup=False, soft_wrap=True)
    console.print()
    console.print(table)


def _show_progress(progress: Progress, task: TaskID, before: int, now: int) -> None:
    progress.update(task, completed=before + now)


def _finished_board(game: Game, seed: int) -> str:
    from .baselines.agents import agent

    state, greedy = game.new_initial_state(seed=seed), agent(game, "greedy", seed)
    while not state.is_terminal():
        state.apply_action(int(greedy.choose(state.record, state._padded_mask)[0]))
    return state.to_text()


# --- Playing -----------------------------------------------------------------------------------------------------------------


@app.command()
def play(
    game: GameName,
    players: Players = None,
    against: Annotated[str, typer.Option("--against", "-a", help="random, greedy, ... or ppo:PATH")] = "greedy",
    seat: Annotated[int, typer.Option(help="your seat")] = 0,
    seed: Annotated[int | None, typer.Option(help="the deal")] = None,
) -> None:
    """Play in the terminal. Type an action as it is listed, its number, or `quit`."""
    from .baselines.agents import agent

    with one_clear_line():
        table = make_game(game, players)
        if not 0 <= seat < table.num_players:
            raise ValueError(f"no seat {seat}, seats are 0..{table.num_players - 1}")
        opponent = agent(table, against, seed)
        state = table.new_initial_state(random.randrange(2**32) if seed is None else seed)
        while not state.is_terminal():
            if state.current_player() == seat:
                console.print("\n" + state.to_text(seat), highlight=False, markup=False)
                state.apply_action(_ask(table, state.legal_actions()))
            else:
                mover, action = state.current_player(), int(opponent.choose(state.record, state._padded_mask)[0])
                state.apply_action(action)
                console.print(f"player {mover} ({against}) moves", style="dim", highlight=False)
        console.print("\n" + state.to_text(), highlight=False, markup=False)
        for p, (score, rank) in enumerate(zip(state.scores(), state.standings(), strict=True)):
            console.print(f"{'you' if p == seat else f'player {p}'}: {score} points, place {rank + 1}", highlight=False)


def _ask(game: Game, legal: list[int]) -> int:
    console.print("  ".join(f"[cyan]{a}[/cyan] {escape(game.action_to_string(a))}" for a in legal), highlight=False)
    while True:
        try:
            typed = input("> ").strip()
        except EOFError:
            raise typer.Exit from None
        if typed == "quit":
            raise typer.Exit
        try:
            action = int(typed) if typed.isdigit() else game.string_to_action(typed)
        except ValueError as error:
            console.print(str(error), style="red", highlight=False, markup=False)
            continue
        if action in legal:
            return action
        console.print(f"{typed!r} is not legal now", style="red", highlight=False, markup=False)


# --- Measuring ---------------------------------------------------------------------------------------------------------------


@app.command()
def bench(
    games: Annotated[list[str] | None, typer.Argument(help="games; all if none is named")] = None,
    players: Annotated[list[int] | None, typer.Option("--players", "-n", help="table sizes; all if none is given")] = None,
    faces: Annotated[list[str] | None, typer.Option("--face", help="kernel, batch, blind, vector, sb3, aec, state, limit")] = None,
    peers: Annotated[bool, typer.Option("--peers", help="other collections too, in the same run")] = False,
    repeats: Annotated[int, typer.Option(help="alternating runs per row")] = 5,
    seconds: Annotated[float, typer.Option(help="per run")] = 0.3,
    out: Annotated[Path | None, typer.Option(help="write the rows as JSON")] = None,
    plots: Annotated[Path | None, typer.Option(help="write plots into this folder")] = None,
    against: Annotated[
        Path | None, typer.Option("--compare", help="an older JSON: ratio table, exit 1 if a row lost too much")
    ] = None,
    loss: Annotated[float, typer.Option(help="share a row may lose in --compare")] = 0.1,
) -> None:
    """Steps per CPU-second of every game and face, beside the machine's limit and, if asked, the peers."""
    from .benchmarks import compare, measure, throughput
    from .benchmarks import peers as peer_cases
    from .benchmarks import plots as plotting

    with one_clear_line():
        for path in filter(None, (out, plots)):  # before an hour of measuring
            if not path.parent.is_dir():
                raise ValueError(f"{path}: there is no folder {path.parent}")
        if plots:
            plotting.matplotlib()
        machine = measure.environment()
        cases = throughput.cases(games or GAMES, players, faces or throughput.FACES)
        skipped: list[measure.Skipped] = []
        if peers:
            more, skipped = peer_cases.cases()
            cases += more
        if not cases:
            raise ValueError("nothing to measure: no game has such a table")
        old = measure.load(against) if against else None
        rows = measure.measure(cases, repeats, seconds, progress=True, skipped=skipped if peers else None)
        console.print(measure.table(rows, skipped))
        console.print(_limit_table(throughput.ratio_to_limit(rows)))
        report = measure.Report(rows, skipped, machine)
        if out:
            measure.save(rows, out, skipped, machine)
        if plots:
            for path in plotting.plot_all(report, plots):
                console.print(f"wrote {path}", highlight=False)
        if old:
            ratios, fine = compare.compare(old, report, loss)
            console.print(ratios)
            if not fine:
                raise typer.Exit(1)


def _limit_table(ratios: list[tuple[str, int, int, float]]) -> Table:
    table = Table("game", "players", "N", "share of the limit", title="batch rows with mask and observation, against the limit")
    for game, players, n, share in ratios:
        table.add_row(game, str(players), str(n), f"{share:.0%}")
    return table


# --- Training ----------------------------------------------------------------------------------------------------------------


@app.command()
def train(
    game: GameName,
    players: Annotated[int | None, typer.Option("--players", "-n", help="the smallest table if not given")] = None,
    minutes: Annotated[float, typer.Option(help="time to train")] = 20.0,
    out: Annotated[Path | None, typer.Option(help="folder for checkpoints and curve; runs/GAME if not given")] = None,
    resume: Annotated[bool, typer.Option(help="go on from the last checkpoint in the folder")] = False,
    seed: int = 0,
    threads: Annotated[int | None, typer.Option(help="of torch; one per core if not given")] = None,
) -> None:
    """Train with masked PPO by self-play; then evaluate against random and greedy."""
    with one_clear_line():
        table = make_game(game, players or min(n for n in rules(game).players if n > 1))
        from .baselines.recipes.masked_ppo import train as train_ppo

        train_ppo(game, table.num_players, minutes, out or Path("runs") / game, resume=resume, seed=seed, threads=threads)


# --- Writing the tables of the game pages ------------------------------------------------------------------------------------


@app.command(hidden=True)
def docs(check: Annotated[bool, typer.Option(help="only say whether the pages are up to date")] = False) -> None:
    """Write the generated tables into the pages of the games."""
    from .envs.core.pages import write_pages

    stale = write_pages(check)
    for path in stale:
        console.print(f"{'stale' if check else 'wrote'} {path.name} of {path.parent.name}", highlight=False)
    raise typer.Exit(1 if check and stale else 0)
