"""Explanations: the rule that decides, what the own cards can be, and what a message would say."""

import numpy as np

from tamaya.agents.wtfwthat.decisions import decide
from tamaya.agents.wtfwthat.desk import DESK
from tamaya.cards import card_name, cards_text
