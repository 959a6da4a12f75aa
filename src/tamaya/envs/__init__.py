"""Environments for people who train agents; their vectors come from ``tamaya.encoding``."""
