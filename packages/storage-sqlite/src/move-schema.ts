/** What steps change of an account while it is copied to another storage. */
export const moveSchema = `
CREATE TABLE move_log (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  keys TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX move_log_by_account ON move_log (account_id, created_at_ms, id);
`;
