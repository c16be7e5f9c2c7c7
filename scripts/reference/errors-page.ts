// Writes the page of all error codes.
import { errorTable, isErrorCode, type ErrorCode } from '@tollgate/contract';
import { table } from './markdown.ts';
import { commonCodes, retryOf, sectionOf } from './route-errors.ts';

const codes = Object.keys(errorTable).filter(isErrorCode);

const rowOf = (code: ErrorCode): readonly string[] => [
  String(errorTable[code].status),
  `\`${code}\``,
  errorTable[code].message,
  retryOf(code),
  `[what to do](../troubleshooting.md#${sectionOf(code)})`,
];

const head = ['status', 'code', 'when', 'repeat', ''];

export const errorsPage = (): string =>
  [
    '# Errors: reference',
    '',
    'An error is JSON. Handle it by its code: the message is for people, and names the field, the value that came and the values that are accepted.',
    '',
    '```json',
    '{ "error": { "code": "ai_insufficient_credits", "message": "…", "request_id": "01a1f7dd-…" } }',
    '```',
    '',
    '`request_id` is present exactly when the operation was registered. `GET /models`, `GET /models/{model}` and `GET /requests/{request_id}` return `{ "error": "message" }` instead, without a code.',
    '',
    'Two headers say whether the same request may be sent again. `x-should-retry: true` comes with `Retry-After`: nothing ran, and a repeat costs nothing. `x-should-retry: false` means that a repeat under a new `Idempotency-Key` may be a second paid operation. [Troubleshooting](../troubleshooting.md) says for each code why it comes and what to do.',
    '',
    '## Of every route {#every-route}',
    '',
    'These do not depend on what is asked. Any path with another method is 405 `method_not_allowed`, and a path that does not exist is 404 `not_found`.',
    '',
    ...table(head, commonCodes.map(rowOf)),
    '## All codes {#all}',
    '',
    ...table(head, codes.toSorted((a, b) => errorTable[a].status - errorTable[b].status).map(rowOf)),
    'Clients of another form, such as those of OpenAI or Anthropic, get the same errors in their own form; [Clients](../clients.md) says which.',
    '',
  ].join('\n');
