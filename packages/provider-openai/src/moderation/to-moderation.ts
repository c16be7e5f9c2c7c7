import type { JsonObject, ModeratedPart, ModerationCall } from '@tollgate/provider';
import type { Obstacle } from '../carried-settings.ts';
import { toMediaPart } from '../media-part.ts';

type Input = ModerationCall['inputs'][number];

const isTextOrImage = (part: ModeratedPart): boolean =>
  part.kind === 'text' || part.mimeType.toLowerCase().startsWith('image/');

/** The text of an input that is nothing else. */
const onlyText = ([first, ...rest]: Input): string | undefined =>
  first?.kind === 'text' && rest.length === 0 ? first.text : undefined;

/** Why a moderation cannot be carried; undefined where it can. */
export const cannotModerate = ({ inputs }: ModerationCall): Obstacle | undefined => {
  if (!inputs.flat().every(isTextOrImage))
    return { field: 'contents', why: 'moderations of this family take texts and images' };
  return inputs.length === 1 || inputs.every((input) => onlyText(input) !== undefined)
    ? undefined
    : { field: 'contents', why: 'a request judges several texts, or the parts of one input' };
};

const toPart = (part: ModeratedPart): JsonObject =>
  part.kind === 'text' ? { type: 'text', text: part.text } : toMediaPart(part);

/** Writes a call as the body of `POST /moderations`. Total and pure; what it cannot carry `cannotModerate` tells. */
export const toModeration = ({ upstreamModel, inputs }: ModerationCall): JsonObject => {
  const texts = inputs.flatMap((input) => onlyText(input) ?? []);
  return {
    model: upstreamModel,
    input: texts.length === inputs.length ? texts : inputs.flatMap((input) => input.map(toPart)),
  };
};
