import type { Json } from '../wire/json.ts';
import type { Role } from './need.ts';

/** What the contract's ids say of what a model does. A model of a host's own list says it by its family. */
const idPatterns: readonly (readonly [Role, RegExp])[] = [
  ['realtime-music', /^music-realtime/u],
  ['realtime', /live|native-audio|streaming-preview$/u],
  ['embedding', /^embedding-/u],
  ['video', /^video-/u],
  ['omni', /^omni-/u],
  ['music', /^music-/u],
  ['transcription', /transcribe$/u],
  ['speech', /-tts/u],
  ['image', /-image(-preview)?$|^image-/u],
];

const familyRoles: Readonly<Record<string, Role>> = {
  embedding: 'embedding',
  video: 'video',
  music: 'music',
  transcription: 'transcription',
  speech: 'speech',
  image: 'image',
  realtime: 'realtime',
};

/** What a model is good for, or null where that is none of what the cases try. */
export const roleOfModel = (model: Json): Role | null => {
  const id = model.at('id').text();
  const byId = idPatterns.find(([, pattern]) => pattern.test(id))?.[0];
  if (byId !== undefined) return byId;
  const isChat = model
    .at('capabilities')
    .list()
    .some(({ value }) => value === 'chat');
  return isChat ? 'chat' : (familyRoles[model.at('family').text()] ?? null);
};
