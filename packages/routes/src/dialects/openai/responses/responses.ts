import { namesOf } from '../../../field-names.ts';
import type { GenerationDialect } from '../../generation/generation-dialect.ts';
import { expandResponse } from './history.ts';
import { readResponseRequest, schemaField } from './read-response-request.ts';
import { endedResponse, unfinishedResponse } from './response-object.ts';
import { openResponseStream } from './response-stream.ts';

/** The Responses wire: `POST /responses`, whole and streamed. */
export const responses: GenerationDialect = {
  name: 'openai-responses',
  path: '/responses',
  keepsMedia: true,
  mediaPlaces: [
    'input.*.content.*.image_url',
    'input.*.content.*.file_data',
    'input.*.output.*.image_url',
    'input.*.output.*.file_data',
    'input.*.result',
  ],
  dataUrls: true,
  fieldNames: namesOf({
    contents: 'input',
    systemInstruction: 'instructions',
    tools: 'tools',
    toolChoice: 'tool_choice',
    responseFormat: 'text.format',
    temperature: 'temperature',
    topP: 'top_p',
    parallelToolCalls: 'parallel_tool_calls',
    thinking: 'reasoning',
    modalities: 'tools',
    image: 'tools.size',
    imageQuality: 'tools.quality',
    imageBackground: 'tools.background',
    imageFormat: 'tools.output_format',
    endUser: 'user',
  }),
  schemaField,
  expand: expandResponse,
  read: readResponseRequest,
  openStream: openResponseStream,
  writeWhole: (head, settled) => JSON.stringify(endedResponse(head, settled)),
  writeUnfinished: (head, unfinished) => JSON.stringify(unfinishedResponse(head, unfinished)),
};
