"""The players with which Eger et al. (2017) let people play, after their program."""
