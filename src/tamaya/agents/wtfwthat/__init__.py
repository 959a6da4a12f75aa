"""WTFWThat and its heir: hats that answer questions about every hand at once."""
