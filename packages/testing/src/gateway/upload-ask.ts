import assert from 'node:assert/strict';
import { jsonOf, okJson, type Answer } from './answer.ts';
import type { GatewayWorld } from './gateway-world.ts';

/** One request of an upload in pieces. */
export interface Piece {
  readonly command: string;
  readonly offset?: number;
  readonly bytes?: Uint8Array;
}

/** Begins an upload and returns where its pieces go, as a path below the base path. */
export const beginUpload = async (
  world: GatewayWorld,
  file: Readonly<Record<string, unknown>>,
  announced: Readonly<Record<string, string>> = {},
): Promise<string> => {
  const answer = await world.send({
    path: '/upload/v1beta/files',
    key: null,
    headers: {
      'x-goog-api-key': world.key,
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      ...announced,
    },
    body: { file },
  });
  okJson(answer);
  assert.equal(answer.headers.get('x-goog-upload-status'), 'active');
  const { pathname, search } = new URL(answer.headers.get('x-goog-upload-url') ?? '');
  return `${pathname.replace(/^\/api\/v1\/ai/, '')}${search}`;
};

export const sendPiece = (world: GatewayWorld, path: string, piece: Piece, key = world.key): Promise<Answer> =>
  world.send({
    path,
    key: null,
    headers: {
      'x-goog-api-key': key,
      'content-type': 'application/octet-stream',
      'x-goog-upload-command': piece.command,
      ...(piece.offset === undefined ? {} : { 'x-goog-upload-offset': String(piece.offset) }),
    },
    body: piece.bytes ?? new Uint8Array(),
  });

export const assertTold = (answer: Answer, status: number, reason: string): void => {
  assert.equal(answer.status, status, answer.text);
  assert.equal(jsonOf(JSON.parse(answer.text)).at('error', 'details', 0, 'reason').value, reason);
};
