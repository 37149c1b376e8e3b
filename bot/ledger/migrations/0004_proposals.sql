-- What a referee was shown and has not carried out yet, so that a press can do exactly that.

CREATE TABLE proposals (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    room_id INTEGER REFERENCES rooms (id),
    user_id INTEGER NOT NULL,
    content TEXT NOT NULL,
    seal INTEGER NOT NULL,
    made_at INTEGER NOT NULL
) STRICT;
CREATE INDEX proposals_by_age ON proposals (made_at);
