import assert from 'node:assert/strict';
import { usageUnits, type Attempt, type Generation, type Usage } from '@tollgate/provider';

const units: ReadonlySet<string> = new Set(usageUnits);

/** Every unit is known, counted once, and a non-negative integer. */
const checkUsage = (usage: readonly Usage[]): void => {
  for (const { unit, quantity, confirmed } of usage) {
    assert.ok(units.has(unit), `unit ${unit} is not metered`);
    assert.ok(Number.isSafeInteger(quantity) && quantity >= 0, `${unit} is ${quantity}`);
    assert.equal(typeof confirmed, 'boolean');
  }
  assert.equal(new Set(usage.map(({ unit }) => unit)).size, usage.length, 'a unit is reported twice');
};

/** The answer has every member in its form, whatever the upstream left out. */
export const checkGeneration = (generation: Generation): void => {
  assert.equal(typeof generation.text, 'string');
  assert.ok(['stop', 'length', 'content_filter'].includes(generation.finish), `finish is ${generation.finish}`);
  checkUsage(generation.usage);
  for (const call of generation.functionCalls) {
    assert.equal(call.kind, 'function_call');
    assert.ok(typeof call.id === 'string' && call.id !== '', 'a call has no id');
    assert.ok(typeof call.name === 'string' && call.name !== '', 'a call has no name');
    assert.equal(typeof call.arguments, 'string', 'arguments are JSON text');
    assert.ok(call.context === undefined || typeof call.context === 'string', 'a context is text');
  }
  assert.equal(
    new Set(generation.functionCalls.map(({ id }) => id)).size,
    generation.functionCalls.length,
    'ids repeat',
  );
};

/** Something was measured, and all of it is confirmed. */
export const checkMeasured = (generation: Generation): void => {
  assert.ok(generation.usage.length > 0, 'nothing was measured');
  assert.ok(
    generation.usage.every(({ confirmed }) => confirmed),
    'usage is not confirmed',
  );
};

export const checkAttempts = (attempts: readonly Attempt[]): void => {
  for (const { startedAtMs, durationMs, status, outcome } of attempts) {
    assert.ok(Number.isFinite(startedAtMs) && startedAtMs >= 0, `startedAtMs is ${startedAtMs}`);
    assert.ok(Number.isFinite(durationMs) && durationMs >= 0, `durationMs is ${durationMs}`);
    assert.ok(status === null || (Number.isInteger(status) && status >= 100 && status < 600), `status is ${status}`);
    assert.ok(['answered', 'refused', 'not_sent', 'unknown'].includes(outcome), `outcome is ${outcome}`);
  }
};
