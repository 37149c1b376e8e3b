"""The rules: pure code that decides every rating, one file a rating system."""
