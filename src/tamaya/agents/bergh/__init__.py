"""The players of Van den Bergh's thesis (2015): a rule player in 48 variants."""
