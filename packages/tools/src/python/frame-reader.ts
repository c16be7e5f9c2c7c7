import type { FrameKind } from '../python-child.ts';

export interface Frame {
  readonly kind: FrameKind;
  readonly bytes: Uint8Array;
}

const headBytes = 5;
const kinds: ReadonlySet<string> = new Set<FrameKind>(['o', 'e', 'f', 'd', 's']);
const isKind = (text: string): text is FrameKind => kinds.has(text);

/** Takes bytes as they come and answers the frames that are complete; throws where they are no frames, or too long. */
export const createFrameReader = (bytesMax: number): ((chunk: Uint8Array) => readonly Frame[]) => {
  let waiting: Buffer = Buffer.alloc(0);
  let parts: Uint8Array[] = [];
  let size = 0;
  let total = 0;
  let wanted = headBytes;
  const take = (): Frame | undefined => {
    if (waiting.length < headBytes) return undefined;
    const kind = String.fromCharCode(waiting[0] ?? 0);
    const end = headBytes + waiting.readUInt32BE(1);
    if (!isKind(kind) || end > bytesMax) throw new Error('The process sent no frames');
    wanted = end;
    if (waiting.length < end) return undefined;
    const frame = { kind, bytes: waiting.subarray(headBytes, end) };
    waiting = waiting.subarray(end);
    wanted = headBytes;
    return frame;
  };
  return (chunk) => {
    total += chunk.byteLength;
    if (total > bytesMax) throw new Error('The process sent too much');
    parts.push(chunk);
    size += chunk.byteLength;
    if (waiting.length + size < wanted) return [];
    waiting = Buffer.concat([waiting, ...parts]);
    parts = [];
    size = 0;
    const frames: Frame[] = [];
    for (let frame = take(); frame !== undefined; frame = take()) frames.push(frame);
    return frames;
  };
};
