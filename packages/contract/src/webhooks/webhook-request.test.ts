import { expect, test } from 'vitest';
import { isGatewayError } from '../http/gateway-error.ts';
import { parseEnabledPatch } from '../http/enabled-patch.ts';
import { parseWebhookRequest } from './webhook-request.ts';

const url = 'https://receiver.example.com/hook';

const codeOf = (run: () => unknown): string => {
  try {
    run();
  } catch (cause) {
    if (isGatewayError(cause)) return cause.code;
    throw cause;
  }
  return 'accepted';
};

test('subscribes to both kinds of events unless the body says otherwise [webhooks:create:events-default]', () => {
  expect(parseWebhookRequest({ url })).toEqual({ url, events: ['request.completed', 'request.failed'] });
  expect(parseWebhookRequest({ url, events: ['request.failed', 'request.failed'] })).toEqual({
    url,
    events: ['request.failed'],
  });
});

test.each([
  [{ url, events: [] }, 'invalid_request'],
  [{ url, events: ['x'] }, 'invalid_request'],
  [{ url, events: 'request.failed' }, 'invalid_request'],
  [{ url, events: null }, 'invalid_request'],
  [{}, 'invalid_request'],
  [{ url: 7 }, 'invalid_request'],
  [{ url: `${url}\0` }, 'invalid_request'],
  [{ url: `${url}\ud800` }, 'invalid_request'],
  [{ url, secret: 'x' }, 'unsupported_parameter'],
  [[], 'invalid_request'],
  [null, 'invalid_request'],
])('refuses %j [webhooks:create:events-values] [webhooks:create:url-required]', (body, code) => {
  expect(codeOf(() => parseWebhookRequest(body))).toBe(code);
});

test('takes only enabled, and only as a boolean [webhooks:patch:enabled-only] [triggers:patch:enabled]', () => {
  expect(parseEnabledPatch({ enabled: false })).toBe(false);
  expect(codeOf(() => parseEnabledPatch({}))).toBe('invalid_request');
  expect(codeOf(() => parseEnabledPatch({ enabled: 1 }))).toBe('invalid_request');
  expect(codeOf(() => parseEnabledPatch({ enabled: true, url }))).toBe('unsupported_parameter');
});
