import type { JsonObject, MediaPart } from '@tollgate/provider';

/** Formats by the names that chat completions upstreams use. */
const audioFormats: { readonly [subtype: string]: string } = {
  mpeg: 'mp3',
  mp3: 'mp3',
  wav: 'wav',
  wave: 'wav',
  'x-wav': 'wav',
  'vnd.wave': 'wav',
  'x-m4a': 'm4a',
};

/** The type without its parameters, in lower case: `audio/L16;rate=24000` is `audio/l16`. */
const bareType = (mimeType: string): readonly [type: string, subtype: string] => {
  const [type = '', subtype = ''] = (mimeType.split(';')[0] ?? '').trim().toLowerCase().split('/');
  return [type, subtype];
};

/** One media part as a content part of chat completions; plain text is inlined because few upstreams read text files. */
export const toMediaPart = (part: MediaPart): JsonObject => {
  const [type, subtype] = bareType(part.mimeType);
  const dataUrl = `data:${type}/${subtype};base64,${part.data}`;
  if (type === 'image') {
    return {
      type: 'image_url',
      image_url: { url: dataUrl, ...(part.detail === undefined ? {} : { detail: part.detail }) },
    };
  }
  if (type === 'video') return { type: 'video_url', video_url: { url: dataUrl } };
  if (type === 'audio') {
    return { type: 'input_audio', input_audio: { data: part.data, format: audioFormats[subtype] ?? subtype } };
  }
  if (type === 'text' && subtype === 'plain') {
    return { type: 'text', text: Buffer.from(part.data, 'base64').toString('utf8') };
  }
  const extension = /^[a-z0-9]{1,8}$/.test(subtype) ? subtype : 'bin';
  return { type: 'file', file: { filename: part.filename ?? `file.${extension}`, file_data: dataUrl } };
};
