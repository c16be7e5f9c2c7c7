/** What steps change of an account while it is copied to another storage. */
export const moveSchema = `
CREATE TABLE move_log (
  id text COLLATE "C" PRIMARY KEY,
  account_id text COLLATE "C" NOT NULL,
  keys json NOT NULL,
  created_at_ms bigint NOT NULL
);
CREATE INDEX move_log_by_account ON move_log (account_id, created_at_ms, id);
`;
