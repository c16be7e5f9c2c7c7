import type { BlobPart, JsonObject, MediaPart } from '@tollgate/provider';
import { base64Of } from '@tollgate/provider-http';

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

/** The base64 of a part behind a prefix; that of a blob is read when the body is written. */
const base64Text = (part: MediaPart | BlobPart, prefix: string): unknown =>
  part.kind === 'blob' ? base64Of(part, prefix) : `${prefix}${part.data}`;

/** One media part as a content part of chat completions; plain text is inlined because few upstreams read text files. */
export const toMediaPart = (part: MediaPart | BlobPart): JsonObject => {
  const [type, subtype] = bareType(part.mimeType);
  if (type === 'text' && subtype === 'plain' && part.kind === 'media')
    return { type: 'text', text: Buffer.from(part.data, 'base64').toString('utf8') };
  if (type === 'audio') {
    const format = audioFormats[subtype] ?? subtype;
    return { type: 'input_audio', input_audio: { data: base64Text(part, ''), format } };
  }
  const dataUrl = base64Text(part, `data:${type}/${subtype};base64,`);
  if (type === 'image') {
    return {
      type: 'image_url',
      image_url: { url: dataUrl, ...(part.detail === undefined ? {} : { detail: part.detail }) },
    };
  }
  if (type === 'video') return { type: 'video_url', video_url: { url: dataUrl } };
  const extension = /^[a-z0-9]{1,8}$/.test(subtype) ? subtype : 'bin';
  return { type: 'file', file: { filename: part.filename ?? `file.${extension}`, file_data: dataUrl } };
};
