"""What the tasks of a Spark job moved, from its event log."""

import json


def of_events(folder):
    """What each task of the event log took: its end, the bytes it wrote for shuffles, and what it spilled."""
    tasks = []
    for path in sorted(folder.rglob("*")):
        if not path.is_file() or path.name.startswith("appstatus"):
            continue
        with path.open() as lines:
            for line in lines:
                if '"SparkListenerTaskEnd"' not in line:
                    continue
                event = json.loads(line)
                metrics = event.get("Task Metrics", {})
                tasks.append(
                    {
                        "end": event["Task Info"]["Finish Time"] / 1000,
                        "shuffle": metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"],
                        "spill": metrics["Disk Bytes Spilled"],
                    }
                )
    return tasks
