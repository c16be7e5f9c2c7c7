import { describe, expect, test } from 'vitest';
import { checkOptions } from './check-options.ts';
import { createGateway } from './create-gateway.ts';

describe('the prefix of the routes', () => {
  test.each(['', '/llm', '/api/v1/ai', '/a.b/c_d/~e'])('may be %j', (basePath) => {
    expect(() => checkOptions({ basePath })).not.toThrow();
  });

  test.each(['/', '/llm/', 'llm', '//llm', '/a//b', '/a b', '/a?b', '/{a}', 'https://host/llm'])(
    'is refused when it is %j',
    async (basePath) => {
      await expect(createGateway({ basePath })).rejects.toThrow(TypeError);
    },
  );
});

describe('the word on the wire', () => {
  test.each(['service', 'acme', 'Acme-2'])('may be %j', (brand) => {
    expect(() => checkOptions({ brand })).not.toThrow();
  });

  test.each(['', 'a b', '2go', 'acme_', 'a:b', 'é'])('is refused when it is %j', async (brand) => {
    await expect(createGateway({ brand })).rejects.toThrow(TypeError);
  });
});
