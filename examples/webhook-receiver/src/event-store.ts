import { DatabaseSync } from 'node:sqlite';

export interface EventStore {
  /** Resolves once the event is on the disk; false where it was there already. Throws where it could not be stored. */
  readonly store: (id: string, body: string) => boolean;
  /** Hands over each event that was not handled yet, and records that it was. */
  readonly handleNew: (handle: (body: string) => void) => void;
  readonly close: () => void;
}

/** Keeps events in a file, each once by its id. */
export const openEventStore = (path: string): EventStore => {
  const db = new DatabaseSync(path);
  db.exec('PRAGMA synchronous = FULL');
  db.exec(
    'CREATE TABLE IF NOT EXISTS event (id TEXT PRIMARY KEY, body TEXT NOT NULL, handled INTEGER NOT NULL DEFAULT 0)',
  );
  const insert = db.prepare('INSERT INTO event (id, body) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const waiting = db.prepare('SELECT id, body FROM event WHERE handled = 0');
  const note = db.prepare('UPDATE event SET handled = 1 WHERE id = ?');
  return {
    store: (id, body) => insert.run(id, body).changes === 1,
    handleNew: (handle) => {
      for (const { id, body } of waiting.all()) {
        handle(String(body));
        note.run(String(id));
      }
    },
    close: () => db.close(),
  };
};
