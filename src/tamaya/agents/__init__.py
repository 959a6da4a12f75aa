"""The agents that come with the package, one module per family."""
