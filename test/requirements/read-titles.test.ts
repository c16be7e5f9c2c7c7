import { expect, test } from 'vitest';
import { readTitles } from './read-titles.ts';

test('reads the titles of tests, groups and cases', () => {
  const source = `
    test('a [x:one]', () => {});
    it("b", async () => {});
    describe(\`c \${name} d\`, () => {});
    runner.test('e', run);
    export const cases = [
      gatewayCase(
        // Broken over lines.
        'f [x:two]',
        run,
      ),
    ];
  `;
  expect(readTitles(source)).toEqual(['a [x:one]', 'b', 'c ${name} d', 'e', 'f [x:two]']);
});

test('reads the titles of tables of tests', () => {
  const source = `
    test.each([['(', 1], ["it('no', 1)", 2]])('takes %s [x:table]', (text) => {});
    describe.for(rows)('group', () => {});
    test.concurrent('at once', () => {});
  `;
  expect(readTitles(source)).toEqual(['takes %s [x:table]', 'group', 'at once']);
});

test('reads no title of what does not run', () => {
  const source = `
    test.skip('skipped [x:skip]', () => {});
    it.todo('later [x:todo]');
    describe.skip('group', () => {});
    test.fails('fails [x:fails]', () => {});
    test.skipIf(true)('sometimes [x:if]', () => {});
    // test('in a comment [x:line]', () => {});
    /* it('in a block [x:block]', () => {}); */
    /** describe('in a docstring [x:doc]') */
  `;
  expect(readTitles(source)).toEqual([]);
});

test('reads no title from texts, patterns, members and other calls', () => {
  const source = `
    const planted = "test('in a text [x:text]', () => {})";
    const nested = \`it('in a template [x:template]') \${call(\`test('deeper')\`)} \`;
    const quotes = /['"\`]/.test('x [x:pattern]');
    const half = total / 2; const more = 'test(' / 3;
    expect(pattern.test('a member [x:member]')).toBe(true);
    subject.it('another member');
    contest('not it [x:other]');
    test(title, () => {});
    test(['x'].join(''), () => {});
    const { test: renamed } = runner;
  `;
  expect(readTitles(source)).toEqual([]);
});

test('goes on after everything that looks like the end of something else', () => {
  const source = `
    const a = '\\'test(\\'';
    const b = /[/'"]\\/(/;
    const c = { d: \`}\${'}'}\` };
    if (a) use(/it('x')/.exec(b));
    test('after all [x:after]', () => {});
  `;
  expect(readTitles(source)).toEqual(['after all [x:after]']);
});
