"""Playing with strangers: recognise a partner among known agents, or model it and respond.

``families`` says which agents belong together, ``recognise`` which of them made some moves,
``crosstable`` who plays well with whom, ``model`` fits how an unknown partner chooses its moves and
``respond`` searches over that. ``player`` makes one agent of it, ``adaptive``.
"""
