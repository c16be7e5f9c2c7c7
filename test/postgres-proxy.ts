import { createAnswerProxy } from './answer-proxy.ts';

/** The server's message that an administrator ended the session. */
const shutdownMessage = (): Buffer => {
  const fields = Buffer.from(['SFATAL', 'VFATAL', 'C57P01', 'Mthe session was ended', '', ''].join('\0'));
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + fields.length);
  return Buffer.concat([Buffer.from('E'), length, fields]);
};

const readyForQuery = Buffer.from('Z\0\0\0\u0005I', 'latin1');

/** A proxy before a server of PostgreSQL, which loses the answer that a test names, or ends a session as it begins. */
export const createPostgresProxy = async (url: string) => {
  let sessionsToEnd = 0;
  const endedWhereAsked = (bytes: Buffer): Buffer => {
    if (sessionsToEnd === 0 || !bytes.subarray(-6).equals(readyForQuery)) return bytes;
    sessionsToEnd -= 1;
    return Buffer.concat([bytes, shutdownMessage()]);
  };
  const proxy = await createAnswerProxy(url, { isWhole: () => true, shown: endedWhereAsked });
  return {
    ...proxy,
    /** The server ends the next session in the same segment that says that it is ready. */
    endNextSession: (): void => {
      sessionsToEnd += 1;
    },
    sessionsToEnd: (): number => sessionsToEnd,
  };
};
