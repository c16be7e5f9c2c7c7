import { createAnswerProxy } from './answer-proxy.ts';

/** The server's message that an administrator ended the session. */
const shutdownMessage = (): Buffer => {
  const fields = Buffer.from(['SFATAL', 'VFATAL', 'C57P01', 'Mthe session was ended', '', ''].join('\0'));
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + fields.length);
  return Buffer.concat([Buffer.from('E'), length, fields]);
};

const committed = Buffer.from('C\0\0\0\u000BCOMMIT\0', 'latin1');
const readyForQuery = Buffer.from('Z\0\0\0\u0005I', 'latin1');

/** A proxy before a server of PostgreSQL, which loses the answer that a test names, or ends a session as it begins or commits. */
export const createPostgresProxy = async (url: string) => {
  let sessionsToEnd = 0;
  const endedWhereAsked = (bytes: Buffer): Buffer => {
    if (sessionsToEnd === 0 || !bytes.subarray(-6).equals(readyForQuery)) return bytes;
    sessionsToEnd -= 1;
    return Buffer.concat([bytes, shutdownMessage()]);
  };
  let commitsToEnd = 0;
  const uncommittedWhereAsked = (bytes: Buffer): Buffer => {
    const at = commitsToEnd === 0 ? -1 : bytes.indexOf(committed);
    if (at === -1) return bytes;
    commitsToEnd -= 1;
    return Buffer.concat([bytes.subarray(0, at), shutdownMessage(), bytes.subarray(at + committed.length)]);
  };
  const shown = (bytes: Buffer): Buffer => uncommittedWhereAsked(endedWhereAsked(bytes));
  const proxy = await createAnswerProxy(url, { isWhole: () => true, shown });
  return {
    ...proxy,
    /** The server ends the next session in the same segment that says that it is ready. */
    endNextSession: (): void => {
      sessionsToEnd += 1;
    },
    /** The next commit happens, is reported as the end of the session, and the connection goes on, as behind a pooler. */
    endNextCommit: (): void => {
      commitsToEnd += 1;
    },
    sessionsToEnd: (): number => sessionsToEnd,
  };
};
