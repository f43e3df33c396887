"""What the loaders of benchmark files share: rows, options, keys, times, and one builder."""
