-- The first tables: facts (rooms, players, games, claims, events), standings, and work to be done.
-- Times are microseconds since 1970 in UTC. Ratings and scores are whole millionths.

CREATE TABLE guilds (
    id INTEGER PRIMARY KEY,
    next_game INTEGER NOT NULL DEFAULT 1 CHECK (next_game > 0)
) STRICT;

CREATE TABLE rooms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    name TEXT NOT NULL CHECK (name <> ''),
    name_key TEXT NOT NULL,
    system TEXT NOT NULL,
    settings TEXT NOT NULL DEFAULT '{}',
    confirmation TEXT NOT NULL DEFAULT 'opponent'
        CHECK (confirmation IN ('opponent', 'referee', 'nobody')),
    many_confirmation TEXT NOT NULL DEFAULT 'majority'
        CHECK (many_confirmation IN ('one', 'majority', 'all')),
    confirm_after INTEGER NOT NULL DEFAULT 86400000000 CHECK (confirm_after >= 0),
    close_idle_after INTEGER NOT NULL DEFAULT 1209600000000 CHECK (close_idle_after >= 0),
    minimum_games INTEGER NOT NULL DEFAULT 0 CHECK (minimum_games >= 0),
    hide_idle_after INTEGER NOT NULL DEFAULT 0 CHECK (hide_idle_after >= 0),
    abort_notice INTEGER NOT NULL DEFAULT 0 CHECK (abort_notice IN (0, 1)),
    referee_role_id INTEGER,
    last_fact_at INTEGER NOT NULL DEFAULT 0,
    last_used_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    archived_at INTEGER
) STRICT;
CREATE UNIQUE INDEX rooms_in_use ON rooms (guild_id, name_key) WHERE archived_at IS NULL;

CREATE TABLE room_channels (
    channel_id INTEGER PRIMARY KEY,
    room_id INTEGER NOT NULL REFERENCES rooms (id)
) STRICT;
CREATE INDEX room_channels_of_room ON room_channels (room_id);

CREATE TABLE players (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    user_id INTEGER,
    name TEXT NOT NULL,
    UNIQUE (guild_id, user_id)
) STRICT;

CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room_id INTEGER NOT NULL REFERENCES rooms (id),
    kind TEXT NOT NULL CHECK (kind IN ('tournament', 'season')),
    name TEXT NOT NULL CHECK (name <> ''),
    opened_at INTEGER,
    closed_at INTEGER,
    cancelled_at INTEGER,
    CHECK (closed_at IS NULL OR cancelled_at IS NULL),
    CHECK (closed_at > opened_at)
) STRICT;
CREATE INDEX events_of_room ON events (room_id, id);
CREATE UNIQUE INDEX events_running ON events (room_id)
    WHERE closed_at IS NULL AND cancelled_at IS NULL;

-- A game counts in the room's replay from final_at on, where counts is 1.
CREATE TABLE games (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    number INTEGER NOT NULL CHECK (number > 0),
    room_id INTEGER NOT NULL REFERENCES rooms (id),
    status TEXT NOT NULL CHECK (status IN
        ('open', 'reported', 'rated', 'aborted', 'disputed', 'withdrawn', 'unrated', 'void')),
    version INTEGER NOT NULL DEFAULT 0 CHECK (version >= 0),
    created_at INTEGER NOT NULL,
    touched_at INTEGER NOT NULL,
    played_at INTEGER,
    final_at INTEGER,
    counts INTEGER NOT NULL DEFAULT 0 CHECK (counts IN (0, 1)),
    opened INTEGER NOT NULL DEFAULT 0 CHECK (opened IN (0, 1)),
    aborted_by INTEGER REFERENCES players (id),
    channel_id INTEGER NOT NULL,
    message_id INTEGER,
    UNIQUE (guild_id, number),
    CHECK (counts = 0 OR final_at IS NOT NULL),
    CHECK (counts = 0 OR status IN ('rated', 'aborted'))
) STRICT;
CREATE INDEX games_in_order ON games (room_id, final_at, id) WHERE counts = 1;
CREATE INDEX games_unsettled ON games (room_id, status)
    WHERE status IN ('open', 'reported', 'disputed');

-- Placing and score are what was agreed, and empty until then.
CREATE TABLE participants (
    game_id INTEGER NOT NULL REFERENCES games (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    seat INTEGER NOT NULL CHECK (seat >= 0),
    placing INTEGER CHECK (placing >= 1),
    score INTEGER,
    PRIMARY KEY (game_id, player_id),
    UNIQUE (game_id, seat)
) STRICT;
CREATE INDEX games_of_player ON participants (player_id, game_id);

CREATE TABLE claims (
    game_id INTEGER NOT NULL REFERENCES games (id),
    version INTEGER NOT NULL CHECK (version >= 1),
    kind TEXT NOT NULL CHECK (kind IN ('result', 'abort', 'standing')),
    author_id INTEGER NOT NULL REFERENCES players (id),
    made_at INTEGER NOT NULL,
    PRIMARY KEY (game_id, version)
) STRICT;

CREATE TABLE claimed_results (
    game_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players (id),
    placing INTEGER NOT NULL CHECK (placing >= 1),
    score INTEGER,
    PRIMARY KEY (game_id, version, player_id),
    FOREIGN KEY (game_id, version) REFERENCES claims (game_id, version)
) STRICT;

CREATE TABLE answers (
    game_id INTEGER NOT NULL,
    version INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players (id),
    answer TEXT NOT NULL CHECK (answer IN ('confirm', 'wrong', 'not-played', 'uncounted')),
    given_at INTEGER NOT NULL,
    PRIMARY KEY (game_id, version, player_id)
) STRICT;

-- Standings: they follow from the facts, and can be dropped and worked out again.
CREATE TABLE standings (
    room_id INTEGER NOT NULL REFERENCES rooms (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    rating INTEGER,
    shown INTEGER,
    games INTEGER NOT NULL CHECK (games >= 0),
    wins INTEGER NOT NULL CHECK (wins >= 0),
    draws INTEGER NOT NULL CHECK (draws >= 0),
    losses INTEGER NOT NULL CHECK (losses >= 0),
    peak INTEGER,
    peak_at INTEGER,
    last_game_at INTEGER NOT NULL,
    memory TEXT NOT NULL DEFAULT '[]',
    PRIMARY KEY (room_id, player_id)
) STRICT;
CREATE INDEX standings_by_rating
    ON standings (room_id, shown DESC, player_id, games, last_game_at);

CREATE TABLE rating_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room_id INTEGER NOT NULL REFERENCES rooms (id),
    game_id INTEGER REFERENCES games (id),
    event_id INTEGER REFERENCES events (id),
    player_id INTEGER NOT NULL REFERENCES players (id),
    cause TEXT NOT NULL CHECK (cause IN ('game', 'event', 'recalculation')),
    before INTEGER,
    after INTEGER,
    delta INTEGER,
    contribution INTEGER,
    reasons TEXT NOT NULL,
    games INTEGER NOT NULL,
    memory TEXT NOT NULL DEFAULT '[]',
    made_at INTEGER NOT NULL,
    CHECK ((game_id IS NULL) <> (event_id IS NULL)),
    CHECK (delta = after - before)
) STRICT;
CREATE INDEX changes_of_player ON rating_changes (room_id, player_id, id);
CREATE INDEX changes_of_game ON rating_changes (game_id);
CREATE INDEX changes_of_event ON rating_changes (event_id);

-- What each person did, once: Discord may deliver a press twice, people press twice.
CREATE TABLE interactions (
    id INTEGER PRIMARY KEY,
    taken_at INTEGER NOT NULL
) STRICT;

CREATE TABLE timers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    kind TEXT NOT NULL CHECK (kind IN ('claim', 'idle-game')),
    game_id INTEGER NOT NULL REFERENCES games (id),
    version INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    problem TEXT,
    UNIQUE (kind, game_id)
) STRICT;
CREATE INDEX timers_by_due ON timers (due_at);

-- Messages that must show a game's newest state and may not do so yet.
CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    game_id INTEGER NOT NULL UNIQUE REFERENCES games (id),
    state INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    problem TEXT
) STRICT;
CREATE INDEX outbox_by_due ON outbox (due_at);

CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL REFERENCES guilds (id),
    room_id INTEGER REFERENCES rooms (id),
    game_id INTEGER REFERENCES games (id),
    user_id INTEGER,
    act TEXT NOT NULL,
    details TEXT NOT NULL DEFAULT '{}',
    reason TEXT,
    done_at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_of_room ON audit (guild_id, room_id, id);
