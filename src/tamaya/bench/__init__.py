"""Speed of this package and of the peers that are installed, measured side by side in one run."""
