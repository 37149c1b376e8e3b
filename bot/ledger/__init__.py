"""The database: the only place with queries."""
