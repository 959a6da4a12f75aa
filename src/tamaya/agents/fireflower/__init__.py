"""FireFlower (David Wu 2018): beliefs by convention, and moves by a two-ply search over them."""
