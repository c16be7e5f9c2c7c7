import { writeSync } from 'node:fs';
import type { FrameForm, FrameKind } from './child-setup.ts';
import { patiently } from './patiently.ts';

const form: Pick<FrameForm, 'tokenBytes' | 'headBytes'> = { tokenBytes: 16, headBytes: 21 };
const channel = 1;

const writeAll = (bytes: Uint8Array): void => {
  for (let sent = 0; sent < bytes.byteLength;)
    sent += patiently(() => writeSync(channel, bytes, sent, bytes.byteLength - sent));
};

export type FrameWriter = (kind: FrameKind, body: Uint8Array) => void;

/** Sends one frame after another; a body has at least one byte. Only the one who has the token can make frames. */
export const createFrameWriter = (token: Uint8Array): FrameWriter => {
  const head = new Uint8Array(form.headBytes);
  const view = new DataView(head.buffer);
  head.set(token);
  return (kind, body) => {
    head[form.tokenBytes] = kind.charCodeAt(0);
    view.setUint32(form.tokenBytes + 1, body.byteLength);
    writeAll(head);
    writeAll(body);
  };
};
