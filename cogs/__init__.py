"""What a person types or presses, one file a feature."""
