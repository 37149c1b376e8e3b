-- Open games that nobody touches are asked about once, in a new message that can notify people.

ALTER TABLE games ADD COLUMN asked_at INTEGER;

-- Whether the game is to be shown in a new message, the older one stepping back.
ALTER TABLE outbox ADD COLUMN anew INTEGER NOT NULL DEFAULT 0 CHECK (anew IN (0, 1));
