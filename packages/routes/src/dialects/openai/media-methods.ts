import { GatewayError } from '@tollgate/contract';
import type { GatewayRequest } from '../../gateway-request.ts';
import type { DialectMethod } from '../dialect.ts';
import type { GenerationDialect } from '../generation/generation-dialect.ts';
import { generationMethod } from '../generation/generation-method.ts';
import { speech } from './audio/speech.ts';
import { transcriptions, translations } from './audio/transcriptions.ts';
import { imageEdits, imageGenerations } from './images/images.ts';
import { moderationMethod } from './moderations/moderations.ts';

/** The wires of images and audio. */
export const mediaDialects: readonly GenerationDialect[] = [
  imageGenerations,
  imageEdits,
  speech,
  transcriptions,
  translations,
];

const refusing = (detail: string): DialectMethod => ({
  route: 'generateContent',
  purpose: 'query',
  run: () => {
    throw new GatewayError('unsupported_parameter', { detail });
  },
});

/** By the path at which each takes POST. */
const mediaMethods: ReadonlyMap<string, DialectMethod> = new Map([
  ...mediaDialects.map((dialect) => [dialect.path, generationMethod(dialect)] as const),
  ['/moderations', moderationMethod],
  [
    '/images/variations',
    refusing(
      'There are no variations of an image: no model makes them without a prompt. Accepted is POST /images/edits.',
    ),
  ],
]);

/** The methods of images, audio and moderation; null for any other path. */
export const mediaMethodOf = ({ method }: GatewayRequest, path: string): DialectMethod | null =>
  method === 'POST' ? (mediaMethods.get(path) ?? null) : null;
