import { GatewayError, noObjectError, refusedValue, safeName, unknownFieldSentence } from '@tollgate/contract';
import { checkModelAt, type Fields } from '../google-fields.ts';

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

const fieldsAt = (value: unknown, where: string): Fields => {
  if (!isFields(value))
    throw where === 'body'
      ? noObjectError(value)
      : refusedValue('invalid_request', { path: [where], value, accepted: 'is an object' });
  return value;
};

/** What a setting of this dialect is called in the contract. */
const settingNames: ReadonlyMap<string, string> = new Map([
  ['taskType', 'task_type'],
  ['title', 'title'],
  ['outputDimensionality', 'dimensions'],
  ['documentOcr', 'document_ocr'],
  ['audioTrackExtraction', 'audio_track_extraction'],
]);

const settingsOf = (request: Fields, where: string): Fields =>
  Object.fromEntries(
    Object.entries(request)
      .filter(([name, value]) => name !== 'content' && name !== 'model' && value !== undefined)
      .map(([name, value]) => {
        const known = settingNames.get(name);
        if (known === undefined)
          throw new GatewayError('unsupported_parameter', {
            detail: unknownFieldSentence([`${where}${safeName(name)}`], ['model', 'content', ...settingNames.keys()]),
          });
        return [known, value];
      }),
  );

const checkModel = (request: Fields, model: string): void => checkModelAt(request['model'], ['model'], model);

/** A role says nothing about what is embedded. */
const partsOf = (request: Fields, where: string): readonly unknown[] => {
  const { role: _, ...content } = fieldsAt(request['content'], `${where}content`);
  const { parts, ...unknown } = content;
  const [field] = Object.keys(unknown);
  if (field !== undefined)
    throw new GatewayError('unsupported_parameter', {
      detail: unknownFieldSentence([`${where}content.${safeName(field)}`], ['parts', 'role']),
    });
  if (!Array.isArray(parts))
    throw refusedValue('invalid_request', {
      path: [`${where}content.parts`],
      value: parts,
      accepted: 'is a list of parts',
    });
  return parts;
};

/** The text of content that is one text and nothing else, or null. */
const onlyText = (parts: readonly unknown[]): string | null => {
  const [part] = parts;
  if (parts.length !== 1 || !isFields(part) || typeof part['text'] !== 'string') return null;
  return Object.keys(part).length === 1 ? part['text'] : null;
};

/** The body of `:embedContent` as one of POST /embeddings. */
export const fromEmbedContent = (value: unknown, model: string): Fields => {
  const request = fieldsAt(value, 'body');
  checkModel(request, model);
  const parts = partsOf(request, '');
  const text = onlyText(parts);
  return { model, ...settingsOf(request, ''), ...(text === null ? { content: { parts } } : { input: text }) };
};

/** One operation has one set of settings. */
const sharedSettings = (requests: readonly Fields[]): Fields => {
  const all = requests.map((request, index) => {
    const settings = settingsOf(request, `requests[${index}].`);
    return JSON.stringify([...settingNames.values()].map((name) => settings[name]));
  });
  if (new Set(all).size > 1)
    throw invalid(
      'The field requests holds different settings; accepted are requests of the same taskType, title and outputDimensionality.',
    );
  return settingsOf(requests[0] ?? {}, 'requests[0].');
};

/** The body of `:batchEmbedContents` as one of POST /embeddings: texts, or one content. */
export const fromBatchEmbedContents = (value: unknown, model: string): Fields => {
  const { requests: list, ...unknown } = fieldsAt(value, 'body');
  const [field] = Object.keys(unknown);
  if (field !== undefined)
    throw new GatewayError('unsupported_parameter', { detail: unknownFieldSentence([field], ['requests']) });
  if (!Array.isArray(list) || list.length === 0)
    throw refusedValue('invalid_request', {
      path: ['requests'],
      value: list,
      accepted: 'is a list of one request or more',
    });
  const requests = list.map((request: unknown, index) => fieldsAt(request, `requests[${index}]`));
  for (const request of requests) checkModel(request, model);
  const contents = requests.map((request, index) => partsOf(request, `requests[${index}].`));
  const [only] = contents;
  const texts = contents.map(onlyText);
  const settings = sharedSettings(requests);
  if (texts.every((text) => text !== null)) return { model, ...settings, input: texts };
  if (contents.length > 1 || only === undefined)
    throw new GatewayError('unsupported_content', {
      detail:
        'The field requests holds several contents that are not each one text; accepted are texts, or one content in a call of its own.',
    });
  return { model, ...settings, content: { parts: only } };
};
