import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { hidden, isListedNowhere, kept, made, rule, unchanged } from './isolation-ask.ts';
import { ended, remove } from './made-resource.ts';
import { yearly } from './trigger-ask.ts';

/** The resources whose creation needs more than a key of text. */
export const isolationResourcesCases: readonly ConformanceCase[] = [
  conformanceCase('hides schedules from other projects', { rules: [rule], needs: ['chat', 'other'] }, async (kit) => {
    const id = await made(kit, { path: '/triggers', body: yearly(kit) });
    const path = `/triggers/${id}`;
    await hidden(kit, path, ['GET']);
    await hidden(kit, `${path}/runs`, ['GET']);
    await isListedNowhere(kit, '/triggers', id);
    await unchanged(kit, path, { enabled: false });
    await hidden(kit, path, ['DELETE']);
    await kept(kit, { path });
    await remove(kit, path);
  }),
  conformanceCase(
    'hides webhooks from other projects',
    { rules: [rule], needs: ['chat', 'other', 'receiver'] },
    async (kit) => {
      const url = `${kit.receiver.url}/${kit.fresh('isolated')}`;
      const id = await made(kit, { path: '/webhooks', body: { url } });
      const path = `/webhooks/${id}`;
      await hidden(kit, path, ['GET']);
      await hidden(kit, `${path}/deliveries`, ['GET']);
      await isListedNowhere(kit, '/webhooks', id);
      await unchanged(kit, path, { enabled: false });
      await hidden(kit, path, ['DELETE']);
      await kept(kit, { path });
      await remove(kit, path);
    },
  ),
  conformanceCase(
    'hides documents from other projects',
    { charges: 1, rules: [rule], needs: ['chat', 'other', 'test-mode'] },
    async (kit) => {
      const store = await made(kit, { path: '/stores', body: {} });
      const data = Buffer.from('Herons stand in shallow water. '.repeat(20)).toString('base64');
      const upload = { display_name: 'herons.txt', mime_type: 'text/plain', data };
      const file = await made(kit, { path: '/files', body: upload }, 201);
      await kit.until({ path: `/files/${file}` }, ({ json }) => json.at('status').value === 'active');
      const id = await made(kit, { path: '/documents', body: { store, file } });
      const path = `/documents/${id}`;
      await ended(kit, rule, { path });
      await hidden(kit, path, ['GET', 'DELETE']);
      await isListedNowhere(kit, '/documents', id);
      const foreign = await kit.send({ path: '/documents', by: 'other', body: { store, file } });
      kit.same(rule, foreign.status, 404, 'POST /documents to a store of another project');
      await kept(kit, { path });
      for (const each of [path, `/stores/${store}`, `/files/${file}`]) await remove(kit, each);
    },
  ),
  conformanceCase(
    'hides videos from other projects',
    { charges: 1, rules: [rule], needs: ['video', 'other', 'test-mode'] },
    async (kit) => {
      const id = await made(kit, { by: 'video', path: '/videos', body: { prompt: 'A harbour at night.' } });
      const path = `/videos/${id}`;
      await ended(kit, rule, { by: 'video', path });
      await hidden(kit, path, ['GET', 'DELETE']);
      await hidden(kit, `${path}/content`, ['GET']);
      await isListedNowhere(kit, '/videos', id);
      await kept(kit, { by: 'video', path });
      await kit.send({ by: 'video', method: 'DELETE', path });
    },
  ),
];
