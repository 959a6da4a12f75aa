"""Sampling deals of what a seat cannot see, as its hints, its convention and its trust allow."""
