"""`planact doctor`: what is found on this machine, and the next step."""

import argparse

from planact.cli.call import Call, Command, Exit, Result


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--size", action="store_true", help="say how much planact keeps, by workspace and kind")
    parser.add_argument("--repair", action="store_true", help="put right what is amiss in planact's own files")


def _run(call: Call) -> Result:
    if call.options.size:
        from planact.app import state_home, state_of_all
        from planact.cli.estate_report import holdings_data, holdings_text

        held, home = state_of_all(), str(state_home())
        return Result(Exit.DONE, holdings_data(held, home), holdings_text(held, home))
    from planact.cli.examination import examine

    return examine(call, is_repairing=call.options.repair)


COMMAND = Command("doctor", "say what is found on this machine, and the next step", _add_arguments, _run)
