"""Learning agents: rollouts, algorithms, training runs that can be stopped at any time.

Needs torch, the extra `learn`; nothing outside this package imports it before it is used.
"""
