"""The parts of the bench, one module each, in the order in which they are shown: `bench(room)` yields its rows."""

PARTS = (
    *("start_up", "stalls", "command_line", "served", "turn", "runs", "plan_language", "many_plans"),
    *("gate", "classifier", "jail"),
    *(
        "language_servers",
        "tasks",
        "search",
        "symbols",
        "folders",
        "records",
        "trials",
        "resume",
        "events",
        "scale",
        "year",
        "large_folders",
    ),
)
