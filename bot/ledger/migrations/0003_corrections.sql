-- A correction works a room out again from one moment on, and its game tells who made it and why.

CREATE INDEX changes_in_order ON rating_changes (room_id, made_at);
CREATE INDEX audit_of_game ON audit (game_id, id) WHERE game_id IS NOT NULL;
