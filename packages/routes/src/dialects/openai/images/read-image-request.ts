import { GatewayError, isRecord, noObjectError, readAt, type CatalogModel } from '@tollgate/contract';
import type { ImageSettings } from '@tollgate/provider';
import { present } from '../../../present.ts';
import type { AskedGeneration } from '../../generation/generation-dialect.ts';
import { closeTurns, createConversation, ready, type OpenPart, type References } from '../../generation/open-turns.ts';
import { mediaCall } from '../media-call.ts';
import { EditBody, GenerationBody, imagesMax } from './image-body.ts';
import { toImageSettings } from './image-settings.ts';
import { openSource } from './open-source.ts';

/** What a body says beside its prompt and its images. */
type Settings = Omit<GenerationBody, 'prompt'>;

const checkStream = ({ n, stream }: Settings): void => {
  if (stream === true && (n ?? 1) > 1)
    throw new GatewayError('invalid_request', {
      detail: `The field n is ${n}, with stream true; accepted is 1, or no stream.`,
    });
};

/** More images than one call of the model makes are refused before anything is reserved. */
const checkCount = ({ count = 1 }: ImageSettings, { id, unitsMax }: CatalogModel): void => {
  const most = Math.min(unitsMax?.['images'] ?? imagesMax, imagesMax);
  if (count > most)
    throw new GatewayError('invalid_request', {
      detail: `The field n is ${count}; accepted of the model ${id} are at most ${most}.`,
    });
};

interface Asked {
  readonly type: 'image_generation' | 'image_edit';
  readonly settings: Settings;
  readonly prompt: string;
  readonly sources: (references: References) => readonly OpenPart[];
}

/** What a response repeats. */
const echoOf = ({ type, settings: { size, quality, background } }: Asked) => ({
  type,
  ...present('size', size),
  ...present('quality', quality),
  ...present('background', background),
});

const toAsked = (asked: Asked): AskedGeneration => {
  const { settings, prompt, sources } = asked;
  checkStream(settings);
  const image = toImageSettings(settings);
  const conversation = createConversation();
  conversation.say('user', [ready({ kind: 'text', text: prompt }), ...sources(conversation.references)]);
  const said = conversation.end('prompt');
  return {
    model: settings.model ?? undefined,
    stream: settings.stream === true,
    fileIds: said.fileIds,
    callIds: [],
    echo: echoOf(asked),
    toCall: (model, parts) => {
      checkCount(image, model);
      return {
        ...mediaCall(model, closeTurns(said, parts)),
        modalities: ['image'],
        image,
        ...present('endUser', settings.user || null),
      };
    },
  };
};

export const readGeneration = (body: unknown): AskedGeneration => {
  if (!isRecord(body)) throw noObjectError(body);
  const { prompt, ...settings } = readAt(GenerationBody, body);
  return toAsked({ type: 'image_generation', settings, prompt, sources: () => [] });
};

/** Sources under the name that a form gives them, with the name that the client gave them. */
const named = (body: Readonly<Record<string, unknown>>): readonly [Readonly<Record<string, unknown>>, string] => {
  const { images, ...rest } = body;
  return images === undefined ? [body, 'image'] : [{ ...rest, image: images }, 'images'];
};

export const readEdit = (body: unknown): AskedGeneration => {
  if (!isRecord(body)) throw noObjectError(body);
  const [renamed, name] = named(body);
  const { prompt, image, ...settings } = readAt(EditBody, renamed);
  const open = (references: References): readonly OpenPart[] =>
    image.map((source, index) => openSource(source, [name, index], references));
  return toAsked({ type: 'image_edit', settings, prompt, sources: open });
};
