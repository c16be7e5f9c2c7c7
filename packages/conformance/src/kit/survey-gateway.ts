import type { Answer } from '../wire/exchange.ts';
import type { Json } from '../wire/json.ts';
import { createSender, type Sender } from '../wire/create-sender.ts';
import { CannotRun } from './cannot-run.ts';
import { refusedRoles, type Role } from './need.ts';
import { secretsOf, type ConformanceOptions } from './kit-options.ts';
import { roleOfModel } from './model-roles.ts';
import type { Actor, Survey } from './survey.ts';

const probeText = 'conformance';

type SurveySender = Pick<Sender, 'send'>;

/** The longest that one request of the survey may take, where the run names no time. */
const surveyMsUsual = 60_000;

/** Why a request did not reach a gateway; `fetch` says it in its cause. */
const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0]);
  return cause instanceof Error ? cause.message : String(cause);
};

/** Sends what finds out about a gateway: without a response, no case can run. */
const createSurveySender = (base: string, options: ConformanceOptions): SurveySender => {
  const { caseMs = surveyMsUsual } = options;
  const sender = createSender({ base, keys: secretsOf(options), fetch: options.fetch ?? fetch });
  return {
    send: (ask) =>
      sender.send({ ...ask, signal: AbortSignal.timeout(Math.ceil(caseMs)) }).catch((error: unknown) => {
        const isLate = error instanceof DOMException && error.name === 'TimeoutError';
        if (isLate)
          throw new CannotRun(`The gateway at ${base} sends no response to ${ask.path} within ${caseMs / 1_000} s.`);
        throw new CannotRun(`The base address ${base} cannot be reached: ${reasonOf(error)}.`);
      }),
  };
};

const readModels = async (sender: SurveySender, base: string, key: string): Promise<Json> => {
  const answer = await sender.send({ path: '/models', key });
  const shownKey = `${key.slice(0, 6)}…`;
  if (answer.status === 401) throw new CannotRun(`The gateway refuses the key ${shownKey} with 401: give a valid one.`);
  if (answer.status !== 200 || answer.json.value === undefined)
    throw new CannotRun(
      `GET ${base}/models with the key ${shownKey} returns ${answer.status}, not a list of models: is this the base address of a gateway, with its prefix /api/v1/ai?`,
    );
  return answer.json;
};

/** Roles whose routes take no model in the body: the key says it. */
const boundRoles: ReadonlySet<Role> = new Set(['video', 'realtime', 'realtime-music']);

/** What a key can be used for: the model that it is bound to, or each model that it may choose. */
const actorsOf = (key: string, list: Json): readonly (readonly [Role, Actor])[] => {
  const rows = list.at('data').list();
  const selected = list.at('selected_model').text();
  const own = rows.find((row) => row.at('id').value === selected);
  if (own !== undefined)
    return own.at('available').value === true
      ? [[roleOfModel(own) ?? 'chat', { key, model: selected, isBound: true }]]
      : [];
  const usable = rows.filter((row) => row.at('usable_with_key').value === true && row.at('available').value === true);
  const chosen = usable.flatMap((row) => {
    const role = roleOfModel(row);
    return role === null || boundRoles.has(role)
      ? []
      : [[role, { key, model: row.at('id').text(), isBound: false }] as const];
  });
  return [...chosen, ['unbound', { key, model: selected, isBound: true }]];
};

interface Probe {
  readonly answer: Answer;
  readonly requestId: string;
}

const probeChat = async (sender: SurveySender, { key, model, isBound }: Actor, brand: string): Promise<Probe> => {
  const content = `[[sandbox: echo ${probeText}]]`;
  const messages = [{ role: 'user', content }];
  const body = isBound ? { messages } : { model, messages };
  const answer = await sender.send({ path: '/chat/completions', key, body });
  return { answer, requestId: answer.json.at(brand, 'request_id').text() };
};

/** Whether the gateway takes the contract's fields only; the value is wrong as well, so that nothing runs in any mode. */
const isStrict = async (sender: SurveySender, { key }: Actor): Promise<boolean> => {
  const body = { messages: [{ role: 'user', content: 'Hello' }], max_tokens: 'none' };
  const { json, status } = await sender.send({ path: '/chat/completions', key, body });
  return status === 200 || json.at('error', 'code').value === 'unsupported_parameter';
};

const showsBalance = async (sender: SurveySender, { key }: Actor): Promise<boolean> => {
  const { status, json } = await sender.send({ path: '/account/balance', key });
  return status === 200 && json.at('balance_credits').text() !== '';
};

interface Keys {
  readonly actors: Map<Role, Actor>;
  /** One for each key that calls a model of text. */
  readonly chats: readonly Actor[];
  readonly capabilities: ReadonlySet<string>;
}

const capabilitiesOf = (list: Json, model: string): readonly string[] =>
  list
    .at('data')
    .list()
    .filter((row) => row.at('id').value === model)
    .flatMap((row) => row.at('capabilities').list())
    .map((one) => one.text());

/** The first key for each role; one that is bound to a model comes before one that is not. */
const surveyKeys = async (sender: SurveySender, base: string, keys: readonly string[]): Promise<Keys> => {
  const actors = new Map<Role, Actor>();
  const chats: Actor[] = [];
  let capabilities: readonly string[] = [];
  for (const key of keys) {
    const list = await readModels(sender, base, key);
    for (const [role, actor] of actorsOf(key, list)) {
      if (role === 'chat' && chats.every((known) => known.key !== key)) chats.push(actor);
      const known = actors.get(role);
      if (known !== undefined && (known.isBound || !actor.isBound)) continue;
      actors.set(role, actor);
      if (role === 'chat') capabilities = capabilitiesOf(list, actor.model);
    }
  }
  return { actors, chats, capabilities: new Set(capabilities) };
};

/** Another key of the project in which a request was made. */
const findSibling = async (
  sender: SurveySender,
  requestId: string,
  others: readonly Actor[],
): Promise<Actor | undefined> => {
  for (const actor of others) {
    const { status } = await sender.send({ path: `/requests/${requestId}`, key: actor.key });
    if (status === 200) return actor;
  }
  return undefined;
};

/** The keys of other projects and accounts, and those that are refused. */
const surveyStrangers = async (
  sender: SurveySender,
  base: string,
  { otherKey, poorKey, refusedKeys = {} }: ConformanceOptions,
): Promise<readonly (readonly [Role, Actor])[]> => {
  const found: (readonly [Role, Actor])[] = [];
  for (const [role, key] of [
    ['other', otherKey],
    ['poor', poorKey],
  ] as const) {
    const [first] = key === undefined ? [] : actorsOf(key, await readModels(sender, base, key));
    if (first !== undefined) found.push([role, first[1]]);
  }
  for (const role of refusedRoles) {
    const key = refusedKeys[role];
    if (key !== undefined) found.push([role, { key, model: '', isBound: true }]);
  }
  return found;
};

/** Finds out what the keys are for, and how the gateway is set. One short chat is charged. */
export const surveyGateway = async (options: ConformanceOptions): Promise<Survey> => {
  const { keys, brand = 'service' } = options;
  const base = options.base.replace(/\/+$/u, '');
  const sender = createSurveySender(base, options);
  const { actors, chats, capabilities } = await surveyKeys(sender, base, keys);
  for (const [role, actor] of await surveyStrangers(sender, base, options)) actors.set(role, actor);
  const known = { base, brand, actors, capabilities };
  const chat = actors.get('chat');
  if (chat === undefined)
    return { ...known, directives: false, strict: false, hasBalance: false, projectId: null, probeCredits: null };
  const { answer, requestId } = await probeChat(sender, chat, brand);
  const sibling = await findSibling(sender, requestId, chats.slice(1));
  if (sibling !== undefined) actors.set('sibling', sibling);
  const told = answer.json.at(brand);
  const credits = told.at('credits').number();
  return {
    ...known,
    directives: answer.json.at('choices', 0, 'message', 'content').value === probeText,
    strict: await isStrict(sender, chat),
    hasBalance: await showsBalance(sender, chat),
    projectId: told.at('project_id').text() || null,
    probeCredits: Number.isFinite(credits) ? credits : null,
  };
};
