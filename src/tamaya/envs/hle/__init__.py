"""The Python interface of the Hanabi Learning Environment (HLE) on top of tamaya's records.

Programs written for ``hanabi_learning_environment`` run unchanged when they import ``pyhanabi``
and ``rl_env`` from here: same classes, same printed text, same deals for a seed. Where HLE aborts
the process this package raises ValueError.
"""
