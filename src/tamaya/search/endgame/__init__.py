"""The end of a game, exactly: every deal that is left (``orders``), open hands (``winnable``)."""
