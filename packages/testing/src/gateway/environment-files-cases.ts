import assert from 'node:assert/strict';
import { EnvironmentFileList } from '@tollgate/contract';
import { assertRefused, okJson, type Json } from './answer.ts';
import { createdEnvironment, downloadFile, environmentWith, inline, listTree } from './environment-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';

const pathsOf = (list: Json): readonly unknown[] =>
  list
    .at('data')
    .list()
    .map((entry) => entry.at('path').value);

/** What is listed and downloaded of the files of an environment. */
export const environmentFilesCases: readonly GatewayCase[] = [
  gatewayCase(
    'lists what lies in the root [environments:files:list] [environments:files:path-empty-root]',
    async (world) => {
      const at = new Date(world.time.now()).toISOString();
      const sources = [inline('src/main.py', 'print(1)'), inline('data', 'é'), inline('src/lib/a.py', '')];
      const id = (await createdEnvironment(world, { sources })).at('id').text();
      const list = okJson(await listTree(world, id));
      assert.deepEqual(list.value, {
        object: 'list',
        path: '',
        data: [
          {
            name: 'data',
            path: 'data',
            type: 'file',
            size_bytes: 2,
            mime_type: 'application/octet-stream',
            created_at: at,
            modified_at: at,
          },
          {
            name: 'src',
            path: 'src',
            type: 'directory',
            size_bytes: 8,
            mime_type: null,
            created_at: at,
            modified_at: at,
          },
        ],
        next_cursor: null,
      });
      EnvironmentFileList.parse(list.value);
      for (const query of ['?path=', '?path=&recursive=false&download=false'])
        assert.deepEqual(okJson(await listTree(world, id, query)).value, list.value);
      assert.deepEqual(okJson(await listTree(world, await environmentWith(world))).at('data').value, []);
    },
  ),
  gatewayCase('lists a folder, and all below it [environments:files:recursive]', async (world) => {
    const id = await environmentWith(world, 'a', 'src/b', 'src/lib/c', 'src/lib/d/e');
    for (const [query, path, paths] of [
      ['?path=src', 'src', ['src/b', 'src/lib']],
      ['?path=src/lib/', 'src/lib', ['src/lib/c', 'src/lib/d']],
      ['?path=src&recursive=true', 'src', ['src/b', 'src/lib', 'src/lib/c', 'src/lib/d', 'src/lib/d/e']],
      ['?recursive=true', '', ['a', 'src', 'src/b', 'src/lib', 'src/lib/c', 'src/lib/d', 'src/lib/d/e']],
      ['?path=src/b', 'src/b', ['src/b']],
    ] as const) {
      const list = okJson(await listTree(world, id, query));
      assert.deepEqual([list.at('path').value, pathsOf(list)], [path, paths]);
    }
    for (const query of ['?recursive=maybe', '?recursive=', '?recursive=1', '?download=yes'])
      assertRefused(await listTree(world, id, query), 422, 'invalid_request');
  }),
  gatewayCase('pages with a cursor, every entry once [environments:files:cursor]', async (world) => {
    const targets = Array.from({ length: 205 }, (_, index) => `d/${String(index).padStart(3, '0')}.txt`);
    const id = await environmentWith(world, ...targets);
    const seen: unknown[] = [];
    let cursor = '';
    let last = false;
    while (!last) {
      const query = `?recursive=true&cursor=${encodeURIComponent(cursor)}`;
      const page = okJson(await listTree(world, id, query));
      assert.ok(page.at('data').list().length <= 100);
      seen.push(...pathsOf(page));
      last = page.at('next_cursor').value === null;
      if (!last) cursor = page.at('next_cursor').text();
    }
    assert.deepEqual(seen, ['d', ...targets]);
    for (const wrong of ['!', 'Li4', 'YQ=='])
      assertRefused(await listTree(world, id, `?cursor=${encodeURIComponent(wrong)}`), 422, 'invalid_request');
  }),
  gatewayCase('refuses paths that lead out, and knows no other [environments:files:path-escape]', async (world) => {
    const id = await environmentWith(world, 'a/b');
    for (const path of ['../x', '/a', 'a/../a', '..', '.', 'a//b', 'a%00', '/', '%2F', 'a/%2e%2e/b'])
      for (const more of ['', '&download=true'])
        assertRefused(await listTree(world, id, `?path=${path}${more}`), 422, 'invalid_request');
    for (const path of ['nope', 'a/c', 'a/b/c', 'A', 'ab'])
      for (const more of ['', '&download=true'])
        assertRefused(await listTree(world, id, `?path=${path}${more}`), 404, 'not_found');
  }),
  gatewayCase('downloads the bytes of a file [environments:files:download]', async (world) => {
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => index % 251));
    const id = (
      await createdEnvironment(world, {
        sources: [
          { ...inline('bin/ä "b".dat', bytes.toString('base64')), encoding: 'base64' },
          inline('page.html', '<script>'),
          inline('empty', ''),
        ],
      })
    )
      .at('id')
      .text();
    const answer = await downloadFile(world, id, 'bin/ä "b".dat');
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'application/octet-stream');
    assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="___b_.dat"');
    assert.equal(answer.headers.get('content-length'), '70000');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
    assert.ok(Buffer.from(await answer.arrayBuffer()).equals(bytes));
    const page = await downloadFile(world, id, 'page.html');
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
    assert.match(page.headers.get('content-disposition') ?? '', /^attachment;/);
    assert.equal(await page.text(), '<script>');
    const empty = await downloadFile(world, id, 'empty');
    assert.deepEqual([empty.status, await empty.text()], [200, '']);
    const refused = await downloadFile(world, id, 'empty', { key: null });
    assert.equal(refused.status, 401);
    await refused.body?.cancel();
  }),
  gatewayCase('downloads no directory [environments:files:directory-download]', async (world) => {
    const id = await environmentWith(world, 'a/b');
    for (const query of ['?download=true', '?path=a&download=true', '?path=a/&download=true'])
      assertRefused(await listTree(world, id, query), 422, 'invalid_request');
  }),
];
