"""The command line: one thin function per command."""

from __future__ import annotations

import io
import math
import random
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.measure import Measurement
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.segment import Segments
from rich.table import Table
from rich.text import Text

from .envs.core.declare.checks import check as check_value
from .envs.core.game import Game
from .envs.registry import GAMES, rules
from .envs.registry import game as make_game

if TYPE_CHECKING:
    from .envs.replay import Replay

app = typer.Typer(no_args_is_help=True, help="Pyramid-building board games for reinforcement learning.")


def plain_console(**settings: Any) -> Console:
    """Shows words as they are: what stands between two colons of a player's name is no emoji, and brackets are no colours."""
    return Console(markup=False, emoji=False, highlight=False, **settings)


console = plain_console()


def _games_from(beginning: str) -> list[str]:
    return [name for name in GAMES if name.startswith(beginning)]


GameName = Annotated[str, typer.Argument(help=f"one of {', '.join(GAMES)}", autocompletion=_games_from)]
Players = Annotated[int | None, typer.Option("--players", "-n", help="players at the table")]
WRONG_INPUT = 2
UNLIMITED = 1000  # columns
METHODS = ("td", "ppo")  # of training
MEASURED = "kernel, batch, blind, narrow, vector, greedy, sb3, aec, state, limit, search"  # faces of `bench`


def main() -> None:
    for stream in (sys.stdout, sys.stderr):  # a terminal that knows ASCII only gets a question mark, not an error
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()


def _show_version(wanted: bool) -> None:
    if wanted:
        from . import __version__

        typer.echo(f"mastaba {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Pyramid-building board games for reinforcement learning."""


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
    plain_console(stderr=True, soft_wrap=True).print(Text.assemble(("mastaba:", "red"), f" {message}"))
    raise typer.Exit(WRONG_INPUT)


def show_table(table: Table) -> None:
    """Nothing is ever cut: in a terminal that is too narrow for a table, lines go on in the next one."""
    needed = Measurement.get(console, console.options.update(max_width=UNLIMITED), table).minimum
    shown = console.render(table, console.options.update(max_width=max(console.width, needed)))
    console.print(Segments(shown), crop=False, end="")


def progress_bar() -> Progress:
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    return Progress(*columns, console=console)


# --- What there is -----------------------------------------------------------------------------------------------------------


@app.command()
def games() -> None:
    """The games: players, actions, sizes, named players."""
    from .baselines.agents import policy_names
    from .benchmarks.measure import WIDE
    from .envs.faces.registration import gymnasium_id

    wide = console.width >= WIDE
    table = Table(box=SIMPLE_HEAD if wide else None, pad_edge=False)
    for heading in ("game", "seats", "actions", "flat", "Gymnasium id", "players", *(("title", "state") if wide else ())):
        table.add_column(
            heading, justify="right" if heading in ("actions", "flat", "state") else "left", no_wrap=heading != "players"
        )
    for name in GAMES:
        game = make_game(name)
        more = (game.rules.title, f"{game.rules.schema.dtype.itemsize} B") if wide else ()
        seats = f"{min(game.rules.players)}-{max(game.rules.players)}"
        agents = ", ".join(policy_names(game))
        table.add_row(name, seats, str(game.num_actions), str(game.encoder().size), gymnasium_id(name), agents, *more)
    show_table(table)


@app.command()
def warmup(
    only: Annotated[list[str] | None, typer.Argument(help="games; all if none is named")] = None,
    portable: Annotated[
        Path | None, typer.Option(help="make files for most x86-64 processors in this folder; MASTABA_PORTABLE_DIR names it later")
    ] = None,
) -> None:
    """Compile now what rules, players, batches and vector environments need (with one thread), so that nothing waits later."""
    from .compiling import STAGES, compile_portable

    with one_clear_line():
        names = [make_game(name).name for name in only or GAMES]
        if portable:
            compile_portable(names, portable)
        else:
            _compile(names, STAGES)


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
    first = next(iter(GAMES))
    console.print(f"\nA finished game of {rules(first).title}, greedy players:\n")
    console.print(_finished_board(make_game(first), seed), soft_wrap=True)
    console.print()
    show_table(table)


def _show_progress(progress: Progress, task: TaskID, before: int, now: int) -> None:
    progress.update(task, completed=before + now)


def _finished_board(game: Game, seed: int) -> str:
    from .baselines.agents import agent

    state, greedy = game.new_initial_state(seed=seed), agent(game, "greedy", seed)
    while not state.is_terminal():
        state.apply_action(int(greedy.choose(state.record, state.padded_mask)[0]))
    return state.to_text()


# --- Playing -----------------------------------------------------------------------------------------------------------------


@app.command()
def play(
    game: GameName,
    players: Players = None,
    against: Annotated[
        str, typer.Option("--against", "-a", help="who sits around: one name for all, or greedy,random,...")
    ] = "greedy",
    seat: Annotated[int, typer.Option(help="your seat")] = 0,
    seed: Annotated[int | None, typer.Option(help="the deal")] = None,
    option: Annotated[list[str] | None, typer.Option(help="of the game, key=value")] = None,
    open_: Annotated[bool, typer.Option("--open", help="take back moves even if something hidden was revealed")] = False,
) -> None:
    """Play in the terminal: type a move as it is listed, or `help`."""
    from .playing import Sitting, Terminal, opponents, table_for

    with one_clear_line():
        table = table_for(game, players, against, option or ())
        names = opponents(against, seat, table.num_players)
        sitting = Sitting(table, names, random.randrange(2**32) if seed is None else seed)
        Terminal(sitting, seat, _ask, _tell, anyway=open_).run()


def _ask() -> str:
    try:
        return input("> ")
    except EOFError:
        return "quit"


def _tell(line: str) -> None:
    console.print(line, soft_wrap=True)


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="where to listen; others reach this machine only if it is not the loopback")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: a free one")] = 8421,
    folder: Annotated[Path, typer.Option(help="where tables are kept")] = Path("mastaba-tables"),
    player: Annotated[list[str] | None, typer.Option(help="offer one more named player, like ppo:PATH")] = None,
) -> None:
    """A table in the browser: play against computers or with others, get hints, watch replays and play on."""
    with one_clear_line():
        from .web.server import LOOPBACK, listen, serve

        place = listen(host, port)
        console.print(f"mastaba is served at http://{host}:{place.getsockname()[1]}/ (tables in {folder}; Ctrl-C ends)")
        if host not in LOOPBACK:
            console.print("everybody who can reach this machine can open tables here", style="red")
        serve(place, folder, player or ())


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="a game that was kept")],
    html: Annotated[Path | None, typer.Option(help="write one page to look at it in a browser")] = None,
    gif: Annotated[Path | None, typer.Option(help="write an animated picture")] = None,
    seat: Annotated[int | None, typer.Option(help="as this seat sees the table; everything open if not given")] = None,
    every: Annotated[int, typer.Option(min=1, help="moves per picture of the GIF")] = 1,
) -> None:
    """Check a game that was kept, and step through it; or make a page or an animated picture of it."""
    from .envs.replay import Replay, write_gif, write_page

    with one_clear_line():
        kept = Replay.load(file)
        if seat is not None and not 0 <= seat < kept.num_players:
            raise ValueError(f"no seat {seat}, seats are 0..{kept.num_players - 1}")
        if html:
            console.print(f"wrote {write_page(kept, html)}")
        if gif:
            console.print(f"wrote {write_gif(kept, gif, player=seat, every=every)}")
        if not html and not gif:
            _step_through(kept, seat)


def _step_through(kept: Replay, seat: int | None) -> None:
    boards = [(state.to_text(seat), state.current_player()) for state in kept.states()]
    last, at = len(boards) - 1, 0
    while True:
        board, player = boards[at]
        console.print(f"\n{board}", soft_wrap=True)
        what = f"next: player {player} ({kept.players[player]}): {kept.actions[at]}" if at < last else _result_of(kept)
        console.print(f"{at}/{last}  {what}", style="dim")
        try:
            typed = input("enter on, b back, a number, q quit > ").strip()
        except EOFError:
            return
        if typed == "q" or (not typed and at == last):
            return
        at = int(typed) if typed.isdigit() else at - 1 if typed == "b" else at + 1
        at = min(max(at, 0), last)


def _result_of(kept: Replay) -> str:
    if not kept.finished:
        return "here the game was left"
    places = zip(kept.players, kept.scores, kept.standings, strict=True)
    return "; ".join(f"player {p} ({name}): {score} points, place {rank + 1}" for p, (name, score, rank) in enumerate(places))


# --- Measuring ---------------------------------------------------------------------------------------------------------------


@app.command()
def bench(
    games: Annotated[list[str] | None, typer.Argument(help="games; all if none is named")] = None,
    players: Annotated[list[int] | None, typer.Option("--players", "-n", help="table sizes; all if none is given")] = None,
    faces: Annotated[list[str] | None, typer.Option("--face", help=MEASURED)] = None,
    peers: Annotated[bool, typer.Option("--peers", help="other collections too, in the same run")] = False,
    repeats: Annotated[int | None, typer.Option(min=1, help="alternating runs per row: 5, or 1 with --cold")] = None,
    seconds: Annotated[float, typer.Option(help="per run")] = 0.3,
    out: Annotated[Path | None, typer.Option(help="write the rows as JSON")] = None,
    plots: Annotated[Path | None, typer.Option(help="write plots into this folder")] = None,
    against: Annotated[
        Path | None, typer.Option("--compare", help="an older JSON: ratio table, exit 1 if a row lost too much")
    ] = None,
    loss: Annotated[float, typer.Option(help="share a row may lose in --compare")] = 0.1,
    encoders: Annotated[bool, typer.Option("--encoders", help="what an observation costs, by encoder, instead of speed")] = False,
    cold: Annotated[
        bool, typer.Option("--cold", help="CPU-seconds of first steps (with --encoders: looks) from an empty cache")
    ] = False,
    pictures: Annotated[bool, typer.Option("--pictures", help="what pictures cost as SVG and as pixels, instead of speed")] = False,
    label: Annotated[str | None, typer.Option(help="what the run of --cold is called in its history; else the version")] = None,
) -> None:
    """Steps per CPU-second of every game and face, beside the machine's limit and, if asked, the peers."""
    if cold and encoders:
        _bench_cold_encoders(games or list(GAMES))
        return
    if cold:
        _bench_cold(games or list(GAMES), label, repeats, out)
        return
    if encoders:
        _bench_encoders(games or list(GAMES), players)
        return
    if pictures:
        _bench_pictures(games or list(GAMES), players, out)
        return
    from .benchmarks import compare, measure, searching, throughput
    from .benchmarks import peers as peer_cases
    from .benchmarks import plots as plotting

    with one_clear_line():
        if not (math.isfinite(seconds) and seconds > 0):
            raise ValueError(f"--seconds {seconds} is not possible: a run takes a time above 0")
        if not 0 <= loss < 1:
            raise ValueError(f"--loss {loss} is not possible, allowed are shares from 0 to below 1")
        for path in filter(None, (out, plots)):  # before an hour of measuring
            if not path.parent.is_dir():
                raise ValueError(f"{path}: there is no folder {path.parent}")
        if plots:
            plotting.matplotlib()
        machine = measure.environment()
        cases = throughput.cases(games or GAMES, players, faces or throughput.FACES)
        skipped: list[measure.Skipped] = []
        if peers:
            more, skipped = peer_cases.search_cases() if faces == [searching.SEARCH] else peer_cases.cases()
            cases += more
        if not cases:
            raise ValueError("nothing to measure: no game has such a table")
        old = measure.load(against) if against else None
        rows = measure.measure(cases, repeats or 5, seconds, progress=True, skipped=skipped if peers else None)
        show_table(measure.table(rows, skipped, width=console.width))
        if ratios_to_limit := throughput.ratio_to_limit(rows):
            show_table(_limit_table(ratios_to_limit))
        report = measure.Report(rows, skipped, machine)
        if out:
            measure.save(rows, out, skipped, machine)
        if plots:
            for path in plotting.plot_all(report, plots):
                console.print(f"wrote {path}")
        if old:
            ratios, fine = compare.compare(old, report, loss)
            show_table(ratios)
            if not fine:
                raise typer.Exit(1)


def _tables_of(names: Sequence[str], players: list[int] | None) -> list[Game]:
    """The games at all tables, or at those of so many players."""
    tables = [make_game(name, n) for name in names for n in rules(name).players if players is None or n in players]
    if not tables:
        raise ValueError("nothing to measure: no game has such a table")
    return tables


def _bench_encoders(names: Sequence[str], players: list[int] | None) -> None:
    from .benchmarks import encoding

    with one_clear_line():
        tables, rows = _tables_of(names, players), []
        with progress_bar() as progress:
            for table in progress.track(tables, description="encoders"):
                rows += encoding.costs(table)
        show_table(encoding.table(rows))


def _bench_cold_encoders(names: Sequence[str]) -> None:
    from .benchmarks import encoding

    with one_clear_line():
        tables = [make_game(name) for name in names]
        with progress_bar() as progress:
            found = {t.name: encoding.cold_costs(t) for t in progress.track(tables, description="compiling encoders")}
        console.print(encoding.cold_table(found))


def _bench_pictures(names: Sequence[str], players: list[int] | None, out: Path | None) -> None:
    """Fails if a picture takes longer than it may."""
    from .benchmarks import drawing

    with one_clear_line():
        if out and not out.parent.is_dir():
            raise ValueError(f"{out}: there is no folder {out.parent}")
        tables = _tables_of(names, players)
        with progress_bar() as progress:
            costs = [drawing.cost(table) for table in progress.track(tables, description="pictures")]
        console.print(drawing.table(costs))
        if out:
            drawing.save_run(costs, out)
        if not all(cost.fine for cost in costs):
            raise typer.Exit(1)


def _bench_cold(games: Iterable[str], label: str | None, repeats: int | None, out: Path | None) -> None:
    """`out` is a history: the run is added to it."""
    from .benchmarks import cold, measure

    with one_clear_line():
        if out and not out.parent.is_dir():
            raise ValueError(f"{out}: there is no folder {out.parent}")
        names, repeats = [make_game(name).name for name in games], repeats or 1
        label = label or measure.installed_version("mastaba") or "unreleased"
        with progress_bar() as progress:
            task = progress.add_task("", total=cold.steps_of(names, repeats), completed=-1)
            run = cold.measure_cold(names, label, repeats, lambda text: progress.update(task, advance=1, description=text))
        show_table(cold.table(run))
        if out:
            cold.remember(run, out)


def _limit_table(ratios: list[tuple[str, int, str, int, float]]) -> Table:
    title = "batch rows with mask and observation, against the limit"
    table = Table("game", "players", "row", "N", "share of the limit", title=title)
    for game, players, face, n, share in ratios:
        table.add_row(game, str(players), face, str(n), f"{share:.0%}")
    return table


# --- Players against each other ------------------------------------------------------------------------------------------------


@app.command()
def tournament(
    game: GameName,
    agents: Annotated[str, typer.Option("--agents", "-a", help="who plays: random,greedy,mcts:1000,...")] = "random,greedy",
    players: Players = None,
    number: Annotated[int, typer.Option("--games", help="games, rounded up to whole deals")] = 1000,
    seed: int = 0,
    option: Annotated[list[str] | None, typer.Option(help="of the game, key=value")] = None,
    openings: Annotated[int, typer.Option(help="random decisions before the players take over")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="threads; one per core if not given")] = None,
    ray: Annotated[str | None, typer.Option(help="play on a Ray cluster: its address, or `local`")] = None,
    resume: Annotated[Path | None, typer.Option(help="keep every finished game in this file, and go on from it")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="write all figures and games")] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="write one line per seat of each game")] = None,
    plot: Annotated[Path | None, typer.Option(help="draw win rates and seats into this file")] = None,
    replays: Annotated[Path | None, typer.Option(help="write every game into this folder")] = None,
    page: Annotated[bool, typer.Option("--page", help="write the standings into the game's page")] = False,
) -> None:
    """Players meet: the same deals for everybody, seats rotated; win rates with intervals, cross table, ratings."""
    from .baselines.tournament import Keeper, Plan, interrupted_file, report, run, write_replays
    from .playing import table_for

    with one_clear_line():
        for path in filter(None, (json_file, csv_file, plot)):  # before an hour of playing
            if not path.parent.is_dir():
                raise ValueError(f"{path}: there is no folder {path.parent}")
        table = table_for(game, players, "", option or ())
        plan = Plan.of(table, [name.strip() for name in agents.split(",") if name.strip()], number, seed, openings)
        _reach(ray)
        keeper = Keeper(plan, resume or interrupted_file(plan))
        try:
            with progress_bar() as progress:
                task = progress.add_task(game, total=plan.total)
                show = partial(_show_progress, progress, task, 0)
                run(plan, keeper, workers=workers, moves=replays is not None, ray=ray, progress=show)
        except (KeyboardInterrupt, RuntimeError):
            console.print(f"interrupted; go on with --resume {keeper.path}", soft_wrap=True)
            if not keeper.chunks:
                raise
        keeper.close(forget=resume is None)
        rows = keeper.rows()
        if not rows:
            raise typer.Exit(1)
        found = report(plan, rows)
        for shown in found.tables():
            show_table(shown)
        if json_file:
            found.write_json(json_file, rows)
        if csv_file:
            found.write_csv(csv_file, rows)
        if plot:
            found.plot(plot)
        if replays:
            write_replays(plan, rows, replays)
        if page:
            chance = f" --openings {openings}" if openings else ""
            command = f"mastaba tournament {game} --players {plan.players} --agents {agents} --games {number}{chance} --page"
            _write_into_page(game, "players", found.markdown(command))
        raise typer.Exit(0 if len(rows) == plan.total else 1)


def _check_players(table: Game, names: Iterable[str]) -> None:
    """Before anything is played or shown: a name that is none costs no time."""
    from .baselines.agents import agent

    for name in names:
        agent(table, name, 0)


def _reach(address: str | None) -> None:
    """Before anything is played, shown or written: whether there is a Ray cluster, if one was asked for."""
    from .baselines.tournament.on_ray import connect

    if address is not None:
        connect(address)


@app.command()
def stats(
    game: GameName,
    agents: Annotated[str, typer.Option("--agents", "-a", help="who plays against itself")] = "random,greedy",
    players: Players = None,
    number: Annotated[int, typer.Option("--games", min=1, help="games of each; of search players a tenth")] = 1000,
    seed: int = 0,
    option: Annotated[list[str] | None, typer.Option(help="of the game, key=value")] = None,
    plot: Annotated[Path | None, typer.Option(help="draw lengths, choices, scores and seats into this file")] = None,
    page: Annotated[bool, typer.Option("--page", help="write the tables into the game's page")] = False,
) -> None:
    """Facts about a game: length, choices, scores, ties, seats, lead changes, what is done in which phase."""
    from .baselines import stats as counting
    from .playing import table_for

    with one_clear_line():
        if plot and not plot.parent.is_dir():
            raise ValueError(f"{plot}: there is no folder {plot.parent}")
        table = table_for(game, players, "", option or ())
        sizes = {name.strip(): max(1, number // 10) if ":" in name else number for name in agents.split(",")}
        _check_players(table, sizes)
        found: list[counting.Facts] = []
        with progress_bar() as progress:
            task = progress.add_task(game, total=sum(sizes.values()))
            for name, count in sizes.items():
                done = partial(_show_progress, progress, task, sum(one.games for one in found))
                found.append(counting.facts(table, name, count, seed, done))
        for shown in counting.tables(found):
            show_table(shown)
        if plot:
            counting.plot(found, plot)
        if page:
            command = f"mastaba stats {game} --players {table.num_players} --agents {agents} --games {number} --page"
            _write_into_page(game, "facts", counting.markdown(found, command))


def _write_into_page(game: str, place: str, text: str) -> None:
    from .envs import pages

    path = pages.page_of(game)
    path.write_text(pages.fill(path.read_text(encoding="utf-8"), {place: text}), encoding="utf-8")


@app.command()
def analyse(
    game: GameName,
    name: Annotated[str, typer.Option("--agent", "-a", help="a search player")] = "search:200ms",
    players: Players = None,
    seed: Annotated[int, typer.Option(help="the deal, if no replay is given")] = 0,
    replay: Annotated[Path | None, typer.Option(help="a game that was kept")] = None,
    move: Annotated[int | None, typer.Option(help="the position in which this move was made; the last one if not given")] = None,
    top: Annotated[int, typer.Option(min=1, help="moves shown")] = 12,
) -> None:
    """What a search thinks of a position: visits and values of the moves, and the line it expects."""
    from .baselines.search.analysis import analyse as think
    from .baselines.search.analysis import position_of, table_of
    from .envs.replay import Replay

    with one_clear_line():
        state, played = (
            position_of(Replay.load(replay), game, move) if replay else (make_game(game, players).new_initial_state(seed), None)
        )
        found = think(state, name)
        console.print(state.to_text(found.player), soft_wrap=True)
        show_table(table_of(state, found, name, top, played))


@app.command()
def tune(
    game: GameName,
    kind: Annotated[str, typer.Option(help="search, rollout, mcts or mc")] = "search",
    budget: Annotated[str, typer.Option(help="of a decision: 1000 simulations, or 10ms")] = "10ms",
    tries: Annotated[list[str] | None, typer.Option("--try", help="a setting and values: horizon=0,2,4; all are combined")] = None,
    against: Annotated[str, typer.Option(help="opponents; victories against them are averaged")] = "greedy",
    players: Players = None,
    number: Annotated[int, typer.Option("--games", help="games of each candidate against each opponent")] = 200,
    seed: int = 0,
    openings: Annotated[int, typer.Option(help="random decisions before the players take over")] = 0,
    workers: Annotated[int | None, typer.Option(min=1, help="threads; one per core if not given")] = None,
    ray: Annotated[str | None, typer.Option(help="play on a Ray cluster: its address, or `local`")] = None,
    keep: Annotated[Path | None, typer.Option(help="folder for finished games: those that are there are not played again")] = None,
) -> None:
    """Compare settings of a search player in the same deals."""
    from .baselines.tournament.tuning import candidates, table_of
    from .baselines.tournament.tuning import tune as compare_all

    with one_clear_line():
        table = make_game(game, players or min(n for n in rules(game).players if n > 1))
        names, others = candidates(kind, budget, tries or ()), [name.strip() for name in against.split(",")]
        _check_players(table, [*names, *others])
        _reach(ray)
        with progress_bar() as progress:
            task = progress.add_task("", total=len(names) * len(others))

            def show(name: str) -> None:
                progress.update(task, advance=1, description=name)

            found = compare_all(table, names, others, number, seed, openings, show, keep, workers=workers, ray=ray)
        show_table(table_of(found, others, number))


# --- Training ----------------------------------------------------------------------------------------------------------------


@app.command()
def train(
    game: GameName,
    players: Annotated[int | None, typer.Option("--players", "-n", help="the smallest table if not given")] = None,
    method: Annotated[str, typer.Option(help="td: values of positions, numpy only; ppo: masked PPO with torch")] = "td",
    minutes: Annotated[float | None, typer.Option(help="of computing; td: all its decisions if not given, ppo: 20")] = None,
    decisions: Annotated[int | None, typer.Option(min=1, help="to train with: the same player on every machine (td)")] = None,
    out: Annotated[Path | None, typer.Option(help="folder for checkpoints and curve; runs/GAME if not given")] = None,
    resume: Annotated[bool, typer.Option(help="go on from the last checkpoint in the folder")] = False,
    seed: int = 0,
    threads: Annotated[int | None, typer.Option(help="of torch; one per core if not given")] = None,
    observation: Annotated[str | None, typer.Option(help="what the network sees, an encoder; td: flat, ppo: lookahead")] = None,
    games: Annotated[int, typer.Option(min=1, help="against each rule-based player in the end")] = 1000,
    search_games: Annotated[int, typer.Option(min=0, help="against `mcts:1000` in the end")] = 20,
    ray: Annotated[str | None, typer.Option(help="let a Ray cluster play the games: its address, or `local` (td)")] = None,
    changes: Annotated[list[str] | None, typer.Option("--set", help="another setting, NAME=VALUE, as often as needed")] = None,
) -> None:
    """Train by self-play; then evaluate on fresh games against random, rule-based and search players."""
    with one_clear_line():
        check_value("method", method, METHODS)
        if ray is not None and method != "td":
            raise ValueError(f"ray={ray!r} is not possible with method={method!r}: only games of td are played on a cluster")
        table = make_game(game, players or min(n for n in rules(game).players if n > 1))
        folder = out or Path("runs") / game
        from .baselines.recipes.running import parse_settings

        begun: dict[str, Any] = {"evaluation_games": games, "search_games": search_games, "resume": resume}
        begun |= {} if resume else {"seed": seed}  # a resumed run keeps its own
        begun |= {} if observation is None else {"observation": observation}
        words = changes or ()
        if method == "td":
            from .baselines.recipes import td

            begun |= {"minutes": minutes, "ray": ray} | ({} if decisions is None else {"decisions": decisions})
            td.train(game, table.num_players, folder, **begun | parse_settings(td.Settings, words))
        else:
            from .baselines.recipes import masked_ppo as ppo

            begun |= {"max_decisions": decisions, "threads": threads}
            time = 20.0 if minutes is None else minutes
            ppo.train(game, table.num_players, time, folder, **begun | parse_settings(ppo.Settings, words))


# --- Making and testing games ------------------------------------------------------------------------------------------------


@app.command()
def check(
    game: GameName,
    players: Annotated[list[int] | None, typer.Option("--players", "-n", help="table sizes; all if none is given")] = None,
    examples: Annotated[int, typer.Option(min=1, help="multiplies what every check looks at")] = 1,
    seconds: Annotated[float | None, typer.Option(help="per table: after this time no further check begins")] = None,
    seed: int = 0,
) -> None:
    """The whole battery on a game, ours or a third party's: findings in plain words, exit code 1 if there are any."""
    with one_clear_line():
        from .testing import CHECKS, find

        tables = [make_game(game, n) for n in players or rules(game).players]
        findings = []
        with progress_bar() as progress:
            task = progress.add_task(game, total=len(tables) * len(CHECKS))
            for table in tables:
                done = partial(_show_check, progress, task, table)
                findings += [(table, finding) for finding in find(table, examples, seconds, seed, done)]
            progress.update(task, description=game, completed=len(tables) * len(CHECKS))
    for i, (table, finding) in enumerate(findings, 1):
        console.print(f"{i}. {table.num_players} players {finding}", soft_wrap=True)
    console.print(f"{game}: {len(findings)} findings" if findings else f"{game}: nothing found")
    raise typer.Exit(1 if findings else 0)


def _show_check(progress: Progress, task: TaskID, table: Game, name: str) -> None:
    progress.update(task, description=f"{table.num_players} players, {name}", advance=1)


@app.command()
def fuzz(
    game: GameName,
    players: Annotated[list[int] | None, typer.Option("--players", "-n", help="table sizes; all if none is given")] = None,
    mutants: Annotated[int, typer.Option(min=0, help="dictionaries with changed values")] = 3000,
    byte_strings: Annotated[int, typer.Option("--bytes", min=0, help="saved positions with flipped bits")] = 1000,
    decisions: Annotated[int, typer.Option(min=0, help="of random play, with invariants sampled")] = 1_000_000,
    seed: int = 0,
) -> None:
    """Positions from outside and long random play, spread over the tables of a game; NUMBA_BOUNDSCHECK=1 checks every access."""
    with one_clear_line():
        from .testing.volume import long_play, many_mutants, tables

        at = tables(rules(game), players or ())
        found = 0
        share = [math.ceil(wanted / len(at)) for wanted in (mutants, byte_strings, decisions)]
        for number, table in enumerate(at):
            own = seed + 1000 * number  # otherwise all tables would see the same changes
            tallies = (*many_mutants(table, share[0], share[1], own), long_play(table, share[2], own))
            for what, tally in zip(("dictionaries", "byte strings", "decisions"), tallies, strict=True):
                found += len(tally.findings)
                console.print(f"{table!r}: {what}: {tally}", soft_wrap=True)
                for finding in tally.findings[:10]:
                    console.print(f"  {finding}", soft_wrap=True)
    console.print(f"{game}: {found} findings" if found else f"{game}: nothing found")
    raise typer.Exit(1 if found else 0)


@app.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(help="what the game is called")],
    folder: Annotated[Path, typer.Option("--in", help="where its folder is made")] = Path("."),
) -> None:
    """Write a complete small package with a game that plays at once, for you to change."""
    from .newgame import write_package

    with one_clear_line():
        root = write_package(name, folder)
    console.print(f"wrote {root}; now: cd {root} && pip install -e '.[test]' && pytest", soft_wrap=True)


# --- Writing the tables of the game pages ------------------------------------------------------------------------------------


@app.command(hidden=True)
def docs(check: Annotated[bool, typer.Option(help="only say whether the pages are up to date")] = False) -> None:
    """Write the generated tables into the pages of the games."""
    from .envs.pages import write_pages

    stale = write_pages(check)
    for path in stale:
        console.print(f"{'stale' if check else 'wrote'} {path.name} of {path.parent.name}")
    raise typer.Exit(1 if check and stale else 0)


@app.command(hidden=True)
def pictures(games: Annotated[list[str] | None, typer.Argument(help="games; all if none is named")] = None) -> None:
    """Play a game of strong players each, and write the pictures of the pages."""
    from .showcase import write_pictures

    with one_clear_line():
        write_pictures([make_game(name).name for name in games or GAMES], lambda path: console.print(f"wrote {path}"))
