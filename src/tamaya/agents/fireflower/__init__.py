"""FireFlower (David Wu 2018): beliefs from conventions, and moves by a two-ply search over them."""
