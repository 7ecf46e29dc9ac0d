"""The live side: where events come from (logs, topics, the simulator) and where verdicts go (stores, the terminal)."""
