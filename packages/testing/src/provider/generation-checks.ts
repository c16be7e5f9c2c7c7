import assert from 'node:assert/strict';
import {
  asUpstreamId,
  usageUnits,
  type Attempt,
  type CallPiece,
  type Embeddings,
  type FunctionCallPart,
  type Generation,
  type Part,
  type Usage,
} from '@tollgate/provider';

const units: ReadonlySet<string> = new Set(usageUnits);

/** Every unit is known, counted once, and a non-negative integer. */
export const checkUsage = (usage: readonly Usage[]): void => {
  for (const { unit, quantity, confirmed } of usage) {
    assert.ok(units.has(unit), `unit ${unit} is not metered`);
    assert.ok(Number.isSafeInteger(quantity) && quantity >= 0, `${unit} is ${quantity}`);
    assert.equal(typeof confirmed, 'boolean');
  }
  assert.equal(new Set(usage.map(({ unit }) => unit)).size, usage.length, 'a unit is reported twice');
};

const checkCall = (call: FunctionCallPart): void => {
  assert.equal(call.kind, 'function_call');
  assert.ok(typeof call.id === 'string' && call.id !== '', 'a call has no id');
  assert.ok(typeof call.name === 'string' && call.name !== '', 'a call has no name');
  assert.equal(typeof call.arguments, 'string', 'arguments are JSON text');
  assert.ok(call.context === undefined || typeof call.context === 'string', 'a context is text');
};

/** Each call has its members, and an id of its own. */
export const checkCalls = (calls: readonly FunctionCallPart[]): void => {
  for (const call of calls) checkCall(call);
  assert.equal(new Set(calls.map(({ id }) => id)).size, calls.length, 'ids repeat');
};

/** The answer has every member in its form, whatever the upstream left out. */
export const checkGeneration = (generation: Generation): void => {
  assert.equal(typeof generation.text, 'string');
  assert.ok(['stop', 'length', 'content_filter'].includes(generation.finish), `finish is ${generation.finish}`);
  checkUsage(generation.usage);
  checkCalls(generation.functionCalls);
};

/** No piece is empty. */
export const checkPieces = (pieces: readonly Part[]): void => {
  for (const piece of pieces) {
    // A piece may carry nothing but its context, as at the end of a thought.
    if (piece.kind === 'text')
      assert.ok(piece.text !== '' || piece.context !== undefined, 'an empty text is handed over');
  }
};

/** The pieces of a call are the beginning of its arguments, and the calls come in the order in which they began. */
export const checkCallPieces = (
  pieces: readonly CallPiece[],
  { functionCalls, finish }: Pick<Generation, 'functionCalls' | 'finish'>,
): void => {
  const begun = new Map<string, CallPiece>();
  for (const piece of pieces) {
    const before = begun.get(piece.id);
    assert.ok(before === undefined || before.name === piece.name, 'the pieces of a call differ in its name');
    begun.set(piece.id, { ...piece, arguments: (before?.arguments ?? '') + piece.arguments });
  }
  for (const { id, name, arguments: text } of begun.values()) {
    const whole = functionCalls.find((call) => call.id === id);
    if (whole === undefined && finish !== 'stop') continue;
    assert.ok(whole !== undefined, 'a call that was begun does not come whole');
    assert.equal(whole.name, name, 'a call has another name than its pieces');
    assert.ok(whole.arguments.startsWith(text), 'the pieces of a call are not the beginning of its arguments');
  }
  const wholeIds = functionCalls.map(({ id }) => id).filter((id) => begun.has(id));
  const begunIds = [...begun.keys()].filter((id) => wholeIds.includes(id));
  assert.deepEqual(wholeIds, begunIds, 'calls come in another order than they began');
};

/** One vector of finite numbers an input, all of one length. */
export const checkEmbeddings = ({ vectors, usage }: Embeddings, inputs: number): void => {
  assert.equal(vectors.length, inputs, 'vectors are missing or too many');
  const dimensions = vectors[0]?.length ?? 0;
  assert.ok(dimensions > 0, 'a vector is empty');
  for (const vector of vectors) {
    assert.equal(vector.length, dimensions, 'vectors differ in length');
    assert.ok(vector.every(Number.isFinite), 'a vector holds something else than numbers');
  }
  checkUsage(usage);
};

/** Something was measured, and all of it is confirmed. */
export const checkMeasured = ({ usage }: { readonly usage: readonly Usage[] }): void => {
  assert.ok(usage.length > 0, 'nothing was measured');
  assert.ok(
    usage.every(({ confirmed }) => confirmed),
    'usage is not confirmed',
  );
};

export const checkAttempts = (attempts: readonly Attempt[]): void => {
  for (const { startedAtMs, durationMs, status, outcome, upstreamId, answerId } of attempts) {
    assert.ok(Number.isFinite(startedAtMs) && startedAtMs >= 0, `startedAtMs is ${startedAtMs}`);
    assert.ok(Number.isFinite(durationMs) && durationMs >= 0, `durationMs is ${durationMs}`);
    assert.ok(status === null || (Number.isInteger(status) && status >= 100 && status < 600), `status is ${status}`);
    assert.ok(['answered', 'refused', 'not_sent', 'unknown'].includes(outcome), `outcome is ${outcome}`);
    const hasStatus = outcome === 'unknown' || (outcome !== 'not_sent') === (status !== null);
    assert.ok(hasStatus, `an attempt that is ${outcome} has the status ${status}`);
    for (const id of [upstreamId, answerId])
      assert.ok(id === undefined || asUpstreamId(id) === id, 'an id of the upstream is too long, or not visible ASCII');
  }
};
