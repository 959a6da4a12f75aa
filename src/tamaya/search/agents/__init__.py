"""The search agents, one module each, over the layers of ``tamaya.search``."""
