"""Environments for training agents; their vectors come from ``tamaya.encoding``."""
