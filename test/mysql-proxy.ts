import { createAnswerProxy } from './answer-proxy.ts';

const headBytes = 4;
const okMark = 0x00;
const errorMark = 0xff;
const moreResults = 0x08;

/**
 * Whether these are the server's answers to all statements of a packet, none of which returns rows. Each is a length of three bytes, a
 * number, and a mark; in one that says OK two short counts and the flags follow.
 */
const isWholeAnswer = (bytes: Buffer): boolean => {
  for (let at = 0; at + headBytes < bytes.length; at += headBytes + bytes.readUIntLE(at, 3)) {
    const mark = bytes[at + headBytes];
    const flags = bytes[at + headBytes + 3] ?? moreResults;
    if (mark === errorMark || (mark === okMark && (flags & moreResults) === 0)) return true;
  }
  return false;
};

/** A proxy before a server of MySQL, which loses the answers to a packet that a test names. */
export const createMysqlProxy = (url: string) => createAnswerProxy(url, { isWhole: isWholeAnswer });
