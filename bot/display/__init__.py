"""From results to what a person sees: texts, tables and buttons; no input or output."""
