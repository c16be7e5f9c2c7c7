import { readSync } from 'node:fs';
import type { ChildJob, FrameForm } from './child-setup.ts';
import { patiently } from './patiently.ts';

const { tokenBytes }: Pick<FrameForm, 'tokenBytes'> = { tokenBytes: 16 };
const lengthBytes = 4;
const chunkBytes = 65_536;

export interface ChildInput {
  readonly token: Uint8Array;
  /** Null where no program is to run. */
  readonly job: ChildJob | null;
  /** The contents of the files, one after the other. */
  readonly contents: Uint8Array;
}

/** Reads what the parent sends, to its end; the parent decides how much that is. */
const readAll = (): Uint8Array => {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = new Uint8Array(chunkBytes);
    const size = patiently(() => readSync(0, chunk));
    if (size === 0) break;
    chunks.push(chunk.subarray(0, size));
  }
  return Uint8Array.from(Buffer.concat(chunks));
};

export const readInput = (): ChildInput => {
  const input = readAll();
  const token = input.slice(0, tokenBytes);
  const rest = input.subarray(tokenBytes);
  if (rest.byteLength < lengthBytes) return { token, job: null, contents: rest };
  const jobEnd = lengthBytes + new DataView(rest.buffer, rest.byteOffset).getUint32(0);
  // The parent writes it in this form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const job = JSON.parse(new TextDecoder().decode(rest.subarray(lengthBytes, jobEnd))) as ChildJob;
  return { token, job, contents: rest.subarray(jobEnd) };
};
