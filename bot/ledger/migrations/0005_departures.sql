-- Players who turn out to be one person, servers that the bot left, and when things were done last.

ALTER TABLE players ADD COLUMN merged_into INTEGER REFERENCES players (id);
ALTER TABLE guilds ADD COLUMN left_at INTEGER;

CREATE TABLE marks (
    name TEXT PRIMARY KEY,
    made_at INTEGER NOT NULL
) STRICT;
