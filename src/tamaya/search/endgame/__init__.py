"""Exact endgames: every remaining deal (``orders``), and open hands (``winnable``)."""
