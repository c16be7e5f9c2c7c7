import { expect, test } from 'vitest';
import { protoMember } from './proto-member.ts';

test.each([
  ['{"name":"a","metadata":{"prototype":"b"},"list":[1,null,{"a":{}}]}', null],
  ['{"__proto__":1}', '__proto__'],
  ['{"metadata":{"a":"b","__proto__":"c"}}', 'metadata.__proto__'],
  ['{"parts":[{},{"usage":{"__proto__":{}}}]}', 'parts.1.usage.__proto__'],
  ['"__proto__"', null],
])('finds a member that readers of JSON drop in %s', (body, place) => {
  expect(protoMember(JSON.parse(body))).toBe(place);
});

test('looks as deep as a body is', () => {
  const depth = 30_000;
  expect(protoMember(JSON.parse('{"a":'.repeat(depth) + '{"__proto__":1}' + '}'.repeat(depth)))).toHaveLength(
    2 * depth + '__proto__'.length,
  );
});
