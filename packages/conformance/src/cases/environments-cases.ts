import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import { made, remove } from './made-resource.ts';

const inline = (target: string, content = 'text') => ({ type: 'inline', target, content });

const refused = async (kit: Kit, rule: RuleId, bodies: readonly object[], code?: string): Promise<void> => {
  for (const body of bodies)
    kit.refused(rule, await kit.send({ path: '/environments', body }), 422, ...(code === undefined ? [] : [code]));
};

const opened = async (kit: Kit, rule: RuleId, body: object): Promise<string> =>
  (await made(kit, rule, { path: '/environments', body })).at('id').text();

/** The path of an environment with two files. */
const withFiles = async (kit: Kit): Promise<string> => {
  const sources = [inline('src/main.py', 'print(1)'), inline('data', 'é')];
  return `/environments/${await opened(kit, kit.rule, { sources })}`;
};

export const environmentsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'opens an environment that shows no contents and no secrets',
    {
      rules: [
        'environments:body:fields',
        'environments:record:fields',
        'environments:body:network-default',
        'environments:body:network-allowlist',
        'environments:body:network-transform-secret',
        'requests:record:active-kinds',
      ],
    },
    async (kit) => {
      const plain = await made(kit, 'environments:body:fields', { path: '/environments', body: {} });
      kit.same(
        'environments:record:fields',
        [plain.at('status').value, plain.at('sources').value, plain.at('result').value],
        ['active', [], null],
        'status, sources and result',
      );
      // A host may open the network by default; what is said holds in any case.
      kit.holds('environments:body:network-default', plain.at('network').value !== undefined, 'no network');
      const closed = await made(kit, 'environments:body:network-allowlist', {
        path: '/environments',
        body: { network: 'disabled' },
      });
      kit.same('environments:body:network-allowlist', closed.at('network').value, 'disabled', 'network');
      const request = await kit.send({ path: `/requests/${plain.at('id').text()}` });
      kit.same(
        'requests:record:active-kinds',
        request.json.at('status').value,
        'completed',
        'the status of its request',
      );
      const network = {
        allowlist: [{ domain: 'api.example.com', transform: { authorization: 'Bearer hidden-secret' } }],
      };
      const full = await made(kit, 'environments:body:network-transform-secret', {
        path: '/environments',
        body: { display_name: 'Lab', sources: [inline('notes/todo.md', 'hidden-content')], network },
      });
      const read = await kit.send({ path: `/environments/${full.at('id').text()}` });
      kit.same(
        'environments:body:network-transform-secret',
        read.json.at('network', 'allowlist', 0, 'transform', 'authorization').value,
        '***',
        'a header of the transform',
      );
      kit.same('environments:record:fields', read.json.at('sources').value, [{ target: 'notes/todo.md' }], 'sources');
      kit.holds('environments:record:fields', !read.text.includes('hidden-'), 'the record shows contents');
      for (const one of [plain, closed, full]) await remove(kit, `/environments/${one.at('id').text()}`);
    },
  ),
  conformanceCase(
    'refuses other fields and other values',
    {
      rules: [
        'environments:body:fields',
        'environments:body:network-allowlist',
        'environments:body:source-inline-only',
        'environments:body:source-target',
        'environments:body:source-size',
        'limits:units:binary',
      ],
    },
    async (kit) => {
      await refused(
        kit,
        'environments:body:fields',
        [{ timeout: 5 }, { from_environment: 'x' }],
        'unsupported_parameter',
      );
      await refused(kit, 'environments:body:network-allowlist', [{ network: 'open' }]);
      await refused(
        kit,
        'environments:body:source-inline-only',
        ['gcs', 'repository', 'skill_registry', 'credential'].map((type) => ({ sources: [{ ...inline('a'), type }] })),
      );
      await refused(kit, 'environments:body:source-target', [
        ...['/a', '../a', 'a/../../b', 'a\u0000'].map((target) => ({ sources: [inline(target)] })),
        { sources: [inline('a'), inline('a')] },
      ]);
      await refused(kit, 'environments:body:source-size', [{ sources: [inline('a', 'x'.repeat(76_801))] }]);
      const id = await opened(kit, 'limits:units:binary', { sources: [inline('a', 'x'.repeat(76_800))] });
      await remove(kit, `/environments/${id}`);
    },
  ),
  conformanceCase(
    'lists the files of an environment',
    { rules: ['environments:files:list', 'environments:files:path-empty-root', 'environments:files:recursive'] },
    async (kit) => {
      const path = await withFiles(kit);
      const list = kit.taken('environments:files:list', await kit.send({ path: `${path}/files` }));
      kit.fields('environments:files:list', list, { object: 'list', path: '', next_cursor: null });
      kit.fields('environments:files:list', list.at('data', 0), {
        name: 'data',
        path: 'data',
        type: 'file',
        size_bytes: 2,
      });
      kit.fields('environments:files:list', list.at('data', 1), { name: 'src', path: 'src', type: 'directory' });
      const root = await kit.send({ path: `${path}/files?path=` });
      kit.same('environments:files:path-empty-root', root.json.at('data').value, list.at('data').value, 'the root');
      const tree = await kit.send({ path: `${path}/files?recursive=true` });
      const paths = tree.json
        .at('data')
        .list()
        .map((one) => one.at('path').value);
      kit.same('environments:files:recursive', paths, ['data', 'src', 'src/main.py'], 'the paths of the tree');
      kit.refused('environments:files:recursive', await kit.send({ path: `${path}/files?recursive=maybe` }), 422);
      await remove(kit, path);
    },
  ),
  conformanceCase(
    'downloads the files of an environment',
    {
      rules: ['environments:files:download', 'environments:files:directory-download', 'environments:files:path-escape'],
    },
    async (kit) => {
      const path = await withFiles(kit);
      const download = `${path}/files?path=src/main.py&download=true`;
      const file = await kit.send({ path: download });
      kit.same('environments:files:download', [file.status, file.text], [200, 'print(1)'], 'status and bytes');
      const disposition = file.headers.get('content-disposition') ?? '';
      kit.holds('environments:files:download', disposition.startsWith('attachment'), 'no attachment');
      const bare = await kit.send({ path: download, key: null });
      kit.same('environments:files:download', bare.status, 401, 'the status without a key');
      const folder = await kit.send({ path: `${path}/files?path=src&download=true` });
      kit.refused('environments:files:directory-download', folder, 422);
      for (const [escape, status] of [
        ['../x', 422],
        ['/etc/passwd', 422],
        ['nope', 404],
      ] as const) {
        const answer = await kit.send({ path: `${path}/files?path=${encodeURIComponent(escape)}` });
        kit.refused('environments:files:path-escape', answer, status);
      }
      await remove(kit, path);
    },
  ),
  conformanceCase('pages with a cursor, every entry once', { rules: ['environments:files:cursor'] }, async (kit) => {
    const rule = 'environments:files:cursor';
    const targets = Array.from({ length: 130 }, (_, at) => `d/${String(at).padStart(3, '0')}.txt`);
    const path = `/environments/${await opened(kit, rule, { sources: targets.map((target) => inline(target, 'x')) })}`;
    const seen: string[] = [];
    const cursors = new Set<string>();
    let cursor = '';
    for (let page = 0; page < 20; page += 1) {
      const list = kit.taken(rule, await kit.send({ path: `${path}/files?path=d${cursor}` }));
      seen.push(
        ...list
          .at('data')
          .list()
          .map((one) => one.at('path').text()),
      );
      const next = list.at('next_cursor').text();
      if (next === '') break;
      kit.need(rule, !cursors.has(next), `the cursor ${next} comes twice`);
      cursors.add(next);
      cursor = `&cursor=${encodeURIComponent(next)}`;
    }
    kit.same(rule, seen, targets, 'the entries of all pages');
    await remove(kit, path);
  }),
];
