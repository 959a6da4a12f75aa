"""Environments and observation encoders for people who train agents."""
