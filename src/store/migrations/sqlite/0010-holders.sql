-- A grant is bound to its holder by the hash of a secret; null: the holder's name is enough.
ALTER TABLE claims ADD COLUMN holder TEXT;
ALTER TABLE waiters ADD COLUMN holder TEXT;
