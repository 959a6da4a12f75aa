"""The players of Osawa (2015), for two: random, internal, outer and self-recognition."""
