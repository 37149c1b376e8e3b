"""Parlour: a Discord bot that keeps the ratings of online game rooms."""
