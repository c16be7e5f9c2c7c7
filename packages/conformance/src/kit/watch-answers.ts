import type { RuleId } from '../rules/rules.ts';
import { requestIdOf, type Answer } from '../wire/exchange.ts';
import type { Json } from '../wire/json.ts';
import type { Findings } from './findings.ts';
import { tellsErrorsAsText } from './routes.ts';
import { errorStatuses, errorStatusSet, upstreamWords, requestStates, statesOf, uuidPattern } from './vocabulary.ts';

/** What a rule that holds for every response says of one; null where it does not apply, true where it is kept. */
type Verdict = string | true | null;
type Watch = readonly [rule: RuleId, see: (answer: Answer, world: WatchWorld) => Verdict];

export interface WatchWorld {
  readonly keys: readonly string[];
}

/** Every object of a response, itself included. */
const objectsIn = (json: Json): readonly Json[] =>
  typeof json.value !== 'object' || json.value === null
    ? []
    : [json, ...json.keys().flatMap((name) => objectsIn(json.at(name)))];

const isKept = (ok: boolean, what: string): Verdict => (ok ? true : what);
const isError = ({ status }: Answer): boolean => status >= 400;
const codeOf = ({ json }: Answer): string => json.at('error', 'code').text();
const plainPath = (path: string): string => path.split('?')[0] ?? '';

const creditNames = ['credits', 'charged_credits', 'reserved_credits'];

const creditFault = (json: Json): string | null => {
  for (const name of creditNames) {
    const { value } = json.at(name);
    if (value === undefined || (typeof value === 'object' && value !== null)) continue;
    if (typeof value !== 'number' || Math.abs(value * 1e6 - Math.round(value * 1e6)) > 1e-3)
      return `${name} is ${JSON.stringify(value)}`;
  }
  return null;
};

/** The records of resources in a response: of one, or of a list. */
const recordsIn = ({ json }: Answer): readonly Json[] =>
  [json, ...json.at('data').list()].filter((one) => statesOf[one.at('object').text()] !== undefined);

const stateFault = (answer: Answer): string | undefined =>
  recordsIn(answer)
    .map((one) => [one.at('object').text(), one.at('status').text()] as const)
    .filter(([type, status]) => statesOf[type]?.has(status) !== true)
    .map(([type, status]) => `a record of the type ${type} shows the state ${status}`)[0];

const allStates = new Set(Object.values(statesOf).flatMap((states) => [...states]));

const watches: readonly Watch[] = [
  [
    'auth:host:no-redirect',
    ({ status, headers }) =>
      isKept(
        (status < 300 || status > 399 || status === 304) && !headers.has('location'),
        `a redirect: ${status} ${headers.get('location') ?? ''}`,
      ),
  ],
  [
    'auth:key:never-echoed',
    ({ text, headers }, { keys }) =>
      isKept(
        !keys.some((key) => text.includes(key) || [...headers].some(([, value]) => value.includes(key))),
        'the response contains a key',
      ),
  ],
  [
    'errors:status:vocabulary',
    (answer) =>
      isError(answer)
        ? isKept(errorStatusSet.has(answer.status), `${answer.status} is no status of the contract`)
        : null,
  ],
  [
    'errors:format:x-request-id',
    (answer) => {
      if (!isError(answer)) return null;
      const told = answer.json.at('error', 'request_id').value;
      const id = requestIdOf(answer);
      if (id === '') return 'an error without X-Request-Id';
      return isKept(told === undefined || told === id, 'X-Request-Id is not the request_id of the error');
    },
  ],
  [
    'errors:code:extra-codes',
    (answer) =>
      codeOf(answer) === '' || !isError(answer)
        ? null
        : isKept(errorStatuses[codeOf(answer)] !== undefined, `${codeOf(answer)} is no code of the contract`),
  ],
  [
    'errors:code:status-table',
    (answer) => {
      const wanted = errorStatuses[codeOf(answer)];
      if (wanted === undefined || !isError(answer)) return null;
      return isKept(wanted === answer.status, `${codeOf(answer)} has the status ${wanted}, not ${answer.status}`);
    },
  ],
  [
    'errors:format:request-id',
    (answer) => {
      const told = answer.json.at('error', 'request_id');
      if ([400, 401, 403, 413].includes(answer.status))
        return isKept(told.value === undefined, `a request_id where nothing was registered: ${told.text()}`);
      if (answer.status === 502) return isKept(uuidPattern.test(told.text()), 'a 502 without request_id');
      return null;
    },
  ],
  [
    'errors:format:string',
    (answer) =>
      isError(answer) && tellsErrorsAsText(answer.method, plainPath(answer.path))
        ? isKept(answer.json.at('error').text() !== '', 'the error of a query is no text')
        : null,
  ],
  [
    'ledger:numbers:json',
    (answer) => {
      // Routes beside the contract have forms of their own.
      if (answer.path.startsWith('/account')) return null;
      const objects = objectsIn(answer.json).filter((json) =>
        creditNames.some((name) => json.at(name).value !== undefined),
      );
      if (objects.length === 0) return null;
      return objects.map(creditFault).find((fault) => fault !== null) ?? true;
    },
  ],
  [
    'versioning:neutral-names',
    ({ json, headers, path }) => {
      // The description of the routes may show examples; a case checks its text.
      if (path.startsWith('/openapi')) return null;
      const names = [
        ...headers.keys(),
        ...objectsIn(json).flatMap((one) => (Array.isArray(one.value) ? [] : one.keys())),
      ];
      const found = names.find((name) => upstreamWords.test(name));
      return found === undefined ? true : `the name ${found}`;
    },
  ],
  ['resources:states:by-kind', (answer) => (recordsIn(answer).length === 0 ? null : (stateFault(answer) ?? true))],
  [
    'resources:states:vocabulary',
    (answer) => {
      const records = recordsIn(answer);
      const unknown = records.find((one) => !allStates.has(one.at('status').text()));
      return records.length === 0 ? null : isKept(unknown === undefined, `the state ${unknown?.at('status').text()}`);
    },
  ],
  [
    'resources:record:id-is-request-id',
    (answer) => {
      const records = recordsIn(answer).filter((one) => one.at('object').text() !== 'file');
      const wrong = records.find((one) => one.at('id').value !== one.at('request_id').value);
      return records.length === 0
        ? null
        : isKept(wrong === undefined, `${wrong?.at('id').text()} has another request_id`);
    },
  ],
  [
    'auth:path:ids-are-uuids',
    (answer) => {
      const records = recordsIn(answer);
      const wrong = records.find((one) => !uuidPattern.test(one.at('id').text()));
      return records.length === 0 ? null : isKept(wrong === undefined, `the id ${wrong?.at('id').text()}`);
    },
  ],
  [
    'requests:record:states',
    ({ json, path, status }) =>
      /^\/requests\/[^/]+$/u.test(path) && status === 200
        ? isKept(requestStates.has(json.at('status').text()), `the state ${json.at('status').text()}`)
        : null,
  ],
];

/** The rules that are held against every response of a run. */
export const watchedRules: readonly RuleId[] = watches.map(([rule]) => rule);

/** Holds a response against the rules of all responses. */
export const watchAnswer = (answer: Answer, world: WatchWorld, findings: Findings): void => {
  for (const [rule, see] of watches) {
    const verdict = see(answer, world);
    if (verdict === null) continue;
    findings.look(rule);
    if (verdict !== true) findings.fail({ rule, case: null, what: verdict, exchange: answer.exchange });
  }
};
