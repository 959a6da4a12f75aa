"""Sampling what a seat cannot see, consistent with hints, conventions and trusted moves."""
