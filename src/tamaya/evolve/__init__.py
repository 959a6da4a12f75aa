"""Evolution of rule agents: the genetic algorithm of Canaan et al., and MAP-Elites."""
