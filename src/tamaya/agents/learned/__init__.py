"""Learned players: networks that were trained by ``tamaya.learn``, played without torch."""
