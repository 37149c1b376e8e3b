"""Use cases: one asynchronous function for each thing that a person can do; no Discord."""
