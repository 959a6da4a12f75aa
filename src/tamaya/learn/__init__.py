"""Learning agents: rollouts, algorithms, training runs that can be stopped at any time.

Needs torch, the extra `learn`; code outside this package imports it only when needed.
"""
