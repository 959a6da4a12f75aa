"""Search one position over a blueprint: what is each move worth?

python examples/search_a_position.py
"""

from tamaya import Rules, find_agent, play
from tamaya.seat import Seat

rules = Rules(players=4, empty_hints=True)
finished = play("hat-information", rules, games=1, seed=1000, record=True).game(0)
position = finished.at(20)
print(position)

# The searcher sees what its seat sees; it draws deals that agree with that, tries every move on
# them, and lets the blueprint play on in all seats.
searcher = find_agent("search:blueprint=hat-information,samples=200")
for reason, value in Seat(searcher, position, seat=position.mover).explain():
    print(f"{reason:24} {value}")
