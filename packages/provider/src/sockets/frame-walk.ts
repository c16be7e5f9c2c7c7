const close = 8;
const headBytes = 2;
const maskBytes = 4;
const wordLength = 126;
const longLength = 127;

/** Where the frames of a socket begin and end, followed through reads of any size. Nothing is checked, and no payload is read. */
export interface FrameWalk {
  readonly pass: (bytes: Uint8Array) => void;
  /** Whether the next byte begins a frame that is no part of a message under way. */
  readonly isBetweenMessages: () => boolean;
  /** Whether a close frame has ended: nothing that follows is read any more. */
  readonly isClosed: () => boolean;
}

/** Bytes of the head that begins so; it is complete as soon as so many are there. */
const headLength = ([, second = 0]: readonly number[]): number => {
  const length = second & 0x7f;
  return headBytes + (length === longLength ? 8 : length === wordLength ? 2 : 0) + (second >= 0x80 ? maskBytes : 0);
};

const payloadLength = (head: readonly number[]): number => {
  const length = (head[1] ?? 0) & 0x7f;
  if (length < wordLength) return length;
  const digits = head.slice(headBytes, length === wordLength ? 4 : 10);
  return digits.reduce((sum, digit) => sum * 256 + digit, 0);
};

export const createFrameWalk = (): FrameWalk => {
  let head: number[] = [];
  let payloadLeft = 0;
  let inMessage = false;
  let closes = false;
  const endHead = (): void => {
    const [first = 0] = head;
    const opcode = first & 0x0f;
    payloadLeft = payloadLength(head);
    head = [];
    closes ||= opcode === close;
    // Frames of control may stand within a message.
    if (opcode < close) inMessage = first < 0x80;
  };
  const isClosed = (): boolean => closes && payloadLeft === 0;
  return {
    pass: (bytes) => {
      for (let at = 0; at < bytes.length;) {
        const skipped = Math.min(payloadLeft, bytes.length - at);
        payloadLeft -= skipped;
        at += skipped;
        if (at === bytes.length || isClosed()) return;
        head.push(bytes[at] ?? 0);
        at += 1;
        if (head.length >= headBytes && head.length === headLength(head)) endHead();
      }
    },
    isBetweenMessages: () => head.length === 0 && payloadLeft === 0 && !inMessage,
    isClosed,
  };
};
