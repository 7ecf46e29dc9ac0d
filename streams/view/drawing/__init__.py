"""The table as a picture: SVG made from what `replay.forensics` says lies on it, and nothing else."""
