"""Benchmark files by format: one file each, found by `vidence.benchmark.BENCHMARKS`."""
