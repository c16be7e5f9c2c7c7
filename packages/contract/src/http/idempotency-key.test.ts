import { expect, test } from 'vitest';
import { isGatewayError } from './gateway-error.ts';
import { parseIdempotencyKey } from './idempotency-key.ts';

const codeOf = (value: string): string => {
  try {
    return parseIdempotencyKey(value);
  } catch (error) {
    return isGatewayError(error) ? `refused: ${error.code}` : 'another error';
  }
};

test('takes 1 and 128 characters and refuses 0 and 129 [idempotency:header:length]', () => {
  expect(codeOf('a')).toBe('a');
  expect(codeOf('k'.repeat(128))).toBe('k'.repeat(128));
  expect(codeOf('')).toBe('refused: invalid_idempotency_key');
  expect(codeOf('k'.repeat(129))).toBe('refused: invalid_idempotency_key');
});

test('takes exactly the characters 0x21 to 0x7E [idempotency:header:charset]', () => {
  for (let code = 0; code < 0x180; code += 1) {
    const char = String.fromCharCode(code);
    const expected = code >= 0x21 && code <= 0x7e ? `a${char}` : 'refused: invalid_idempotency_key';
    expect(codeOf(`a${char}`), `0x${code.toString(16)}`).toBe(expected);
  }
});
