"""Charts and a self-contained HTML page of the results in the store."""
