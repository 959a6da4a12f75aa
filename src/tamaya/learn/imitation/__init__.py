"""Learning from games of people: a network that predicts the move that a person makes.

| module      | what it has                                                             |
|-------------|-------------------------------------------------------------------------|
| `games`     | games with the people in them, and who is held out                      |
| `decisions` | every turn of a person as the network sees it                           |
| `network`   | the network, in torch                                                   |
| `plan`      | what determines a run, and its file                                     |
| `learner`   | training several networks, epoch by epoch, with early stopping          |
| `run`       | a run in a folder, which can be stopped at any time                     |
| `scores`    | how well moves are predicted, for every person the same weight, or move |
"""
