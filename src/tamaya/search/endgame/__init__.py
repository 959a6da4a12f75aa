"""The end of a game, exactly: all deals that are left (``orders``), and open hands (``winnable``)."""
