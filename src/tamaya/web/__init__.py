"""The web table: people play Hanabi with agents on a page, watch them and sit together.

``table`` defines what happens at a table, ``sight`` what each role sees of it, ``wording`` what
people read and hear, ``figures`` pace and efficiency, ``messages`` the frames that the page sends.
The page knows no rules: it draws what it receives and sends back moves as text.
"""
