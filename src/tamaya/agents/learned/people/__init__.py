"""Learning what people do: a small network chooses among the legal moves as people did.

| module     | what it has                                                                |
|------------|----------------------------------------------------------------------------|
| `traces`   | what a seat remembers: how each card was hinted at, the habits of a player |
| `cards`    | what speaks for playing or discarding each own card                        |
| `hints`    | what speaks for each hint                                                  |
| `context`  | what is the same for all moves of a turn                                   |
| `advisers` | other agents, and the moves that they would make                           |
| `choice`   | the network                                                                |
| `agent`    | the agent that plays it                                                    |

No number depends on which colour is which: exchanging colours exchanges the numbers of the hints
and nothing else. So the network need not learn the same five times.
"""
