import { expect, test } from 'vitest';
import { isGatewayError, type GatewayError } from '../http/gateway-error.ts';
import { parseTriggerRequest } from './trigger-request.ts';

const trigger = { schedule: '0 9 * * 1', interaction: { input: 'Report.' } };

const refusal = (body: unknown): GatewayError => {
  try {
    parseTriggerRequest(body);
  } catch (cause) {
    if (isGatewayError(cause)) return cause;
    throw cause;
  }
  throw new Error('the body was accepted');
};

test('keeps the clocks of America/Sao_Paulo unless the body names others [triggers:body:default-time-zone]', () => {
  expect(parseTriggerRequest(trigger)).toMatchObject({ displayName: null, timeZone: 'America/Sao_Paulo' });
  expect(parseTriggerRequest({ ...trigger, time_zone: 'Europe/Lisbon' })).toMatchObject({ timeZone: 'Europe/Lisbon' });
});

test('takes names of up to 200 characters [triggers:body:display-name]', () => {
  expect(parseTriggerRequest({ ...trigger, display_name: 'n'.repeat(200) }).displayName).toHaveLength(200);
  expect(refusal({ ...trigger, display_name: 'n'.repeat(201) }).code).toBe('invalid_request');
});

test('reads the interaction by its own rules, and names its fields by their place [triggers:body:interaction]', () => {
  expect(parseTriggerRequest(trigger).interaction.input).toEqual([{ kind: 'text', text: 'Report.' }]);
  expect(parseTriggerRequest(trigger).sent).toEqual({ input: 'Report.' });
  expect(refusal({ schedule: '0 9 * * 1' }).detail).toContain('interaction');
  expect(refusal({ ...trigger, interaction: 'Report.' }).detail).toContain('interaction');
  expect(refusal({ ...trigger, interaction: { input: '' } })).toMatchObject({ code: 'empty_message' });
  const tools = [{ type: 'rocket' }];
  expect(refusal({ ...trigger, interaction: { input: 'x', tools } }).detail).toContain('interaction.tools[0]');
});

test.each([
  [{ ...trigger, enabled: true }, 'unsupported_parameter'],
  [{ ...trigger, schedule: 7 }, 'invalid_request'],
  [{ ...trigger, schedule: '' }, 'invalid_request'],
  [{ ...trigger, schedule: '*'.repeat(257) }, 'invalid_request'],
  [{ interaction: { input: 'x' } }, 'invalid_request'],
  ['text', 'invalid_request'],
])('refuses %j', (body, code) => {
  expect(refusal(body).code).toBe(code);
});
