import { createHmac } from 'node:crypto';
import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { uuidPattern } from '../kit/vocabulary.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { parseJson } from '../wire/json.ts';
import { directed, say } from './bodies.ts';
import { needs, hooked, eventsOf, only, headerOf, deliveryOf, remove } from './webhook-event-ask.ts';

export const webhookEventsCases: readonly ConformanceCase[] = [
  conformanceCase(
    'reports a completed request in an envelope without its content',
    {
      charges: 1,
      rules: [
        'webhooks:event:completed',
        'webhooks:envelope:fields',
        'webhooks:envelope:no-content',
        'webhooks:envelope:request-url',
        'webhooks:delivery:after-settlement',
      ],
      needs,
    },
    async (kit) => {
      const hook = await hooked(kit, 'webhooks:event:completed');
      const marker = kit.fresh('heron');
      const answer = await kit.chat(say(marker));
      const event = await only(kit, 'webhooks:event:completed', hook, answer);
      const body = parseJson(event.body);
      kit.fields('webhooks:event:completed', body, { type: 'request.completed' });
      kit.same('webhooks:envelope:fields', body.keys().toSorted(), ['created_at', 'data', 'id', 'type'], 'the fields');
      const isFormed = uuidPattern.test(body.at('id').text()) && body.at('created_at').text().endsWith('Z');
      kit.holds('webhooks:envelope:fields', isFormed, 'id or created_at');
      const credits = answer.json.at(kit.brand, 'credits').value;
      const data = { request_id: requestIdOf(answer), project_id: kit.projectId, status: 'completed', credits };
      kit.fields('webhooks:envelope:fields', body.at('data'), data);
      kit.holds('webhooks:envelope:no-content', !event.body.includes(marker), 'the event has the content');
      const url = new URL(body.at('data', 'request_url').text() || '/none', kit.base);
      const record = await kit.send({ path: url.href.replace(kit.base, '') });
      kit.same('webhooks:envelope:request-url', record.status, 200, 'the status of request_url');
      kit.fields('webhooks:delivery:after-settlement', record.json, { status: 'completed' });
      await remove(kit, hook);
    },
  ),
  conformanceCase(
    'signs an event with the secret of its webhook',
    {
      charges: 1,
      rules: [
        'webhooks:signature:event-id-header',
        'webhooks:signature:format',
        'webhooks:signature:hmac-sha256',
        'webhooks:signature:key-bytes',
        'webhooks:signature:timestamp-header',
        'versioning:brand:webhook-headers',
      ],
      needs,
    },
    async (kit) => {
      const hook = await hooked(kit, kit.rule);
      const event = await only(kit, kit.rule, hook, await kit.chat());
      const header = (name: string): string => headerOf(event, `x-${kit.brand}-${name}`);
      const [id, timestamp, signature] = [header('event-id'), header('timestamp'), header('signature')];
      kit.holds('versioning:brand:webhook-headers', id !== '' && signature !== '', `no headers of x-${kit.brand}`);
      kit.same('webhooks:signature:event-id-header', id, parseJson(event.body).at('id').value, 'the event id');
      const isRecent = /^\d+$/u.test(timestamp) && Math.abs(Number(timestamp) - Date.now() / 1_000) < 300;
      kit.holds('webhooks:signature:timestamp-header', isRecent, `the timestamp ${timestamp}`);
      kit.holds('webhooks:signature:format', /^v1=[0-9a-f]{64}$/u.test(signature), `the signature ${signature}`);
      const hmac = createHmac('sha256', hook.secret).update(`${id}.${timestamp}.${event.body}`);
      const wanted = `v1=${hmac.digest('hex')}`;
      for (const rule of ['webhooks:signature:hmac-sha256', 'webhooks:signature:key-bytes'] as const)
        kit.same(rule, signature, wanted, 'the signature');
      await remove(kit, hook);
    },
  ),
  conformanceCase(
    'keeps a record of what was delivered',
    { charges: 1, rules: ['webhooks:delivery:to-delivered', 'webhooks:deliveries:list'], needs },
    async (kit) => {
      const hook = await hooked(kit, 'webhooks:delivery:to-delivered');
      const answer = await kit.chat();
      const delivery = await deliveryOf(kit, hook, answer, 'delivered');
      kit.fields('webhooks:delivery:to-delivered', delivery, { status: 'delivered', http_status: 200 });
      const wanted = { request_id: requestIdOf(answer), event_type: 'request.completed', attempts: 1 };
      kit.fields('webhooks:deliveries:list', delivery, wanted);
      const texts = ['id', 'created_at'].filter((name) => delivery.at(name).text() === '');
      kit.same('webhooks:deliveries:list', texts, [], 'fields without a text');
      await remove(kit, hook);
    },
  ),
  conformanceCase(
    'tells a failed request without its message',
    { rules: ['webhooks:event:failed', 'webhooks:event:data-of-failed'], needs: [...needs, 'directives'] },
    async (kit) => {
      const hook = await hooked(kit, 'webhooks:event:failed');
      const event = await only(kit, 'webhooks:event:failed', hook, await kit.chat(say(directed('fail'))));
      const body = parseJson(event.body);
      kit.same('webhooks:event:failed', body.at('type').value, 'request.failed', 'type');
      kit.fields('webhooks:event:data-of-failed', body.at('data'), { status: 'failed', credits: 0 });
      kit.absent('webhooks:event:data-of-failed', body.at('data', 'message').value, 'message');
      kit.holds('webhooks:event:data-of-failed', body.at('data', 'error_code').text() !== '', 'no error_code');
      await remove(kit, hook);
    },
  ),
  conformanceCase(
    'sends what is subscribed, and nothing of before',
    {
      charges: 3,
      rules: [
        'webhooks:event:subscribed-only',
        'webhooks:event:since-creation',
        'webhooks:event:paused-at-event',
        'webhooks:patch:pause',
        'webhooks:patch:resume',
        'webhooks:event:uncertain-silent',
        'webhooks:delivery:one-per-webhook',
      ],
      needs: [...needs, 'directives'],
    },
    async (kit) => {
      const before = await kit.chat();
      const hook = await hooked(kit, 'webhooks:patch:resume');
      const failures = await hooked(kit, 'webhooks:event:subscribed-only', { events: ['request.failed'] });
      const enable = (enabled: boolean) =>
        kit.send({ method: 'PATCH', path: `/webhooks/${hook.id}`, body: { enabled } });
      await enable(false);
      const paused = await kit.chat();
      await enable(true);
      const lost = await kit.chat(say(directed('unknown')));
      const after = await kit.chat();
      const seen = await eventsOf(kit, hook, requestIdOf(after));
      kit.same('webhooks:patch:resume', seen.length, 1, 'events after it was enabled again');
      kit.same('webhooks:delivery:one-per-webhook', seen.length, 1, 'events of one request at one webhook');
      const told = new Set(
        kit.receiver.at(hook.path).map(({ body }) => parseJson(body).at('data', 'request_id').text()),
      );
      kit.holds('webhooks:event:since-creation', !told.has(requestIdOf(before)), 'an event of before its creation');
      kit.holds('webhooks:patch:pause', !told.has(requestIdOf(paused)), 'an event of its pause');
      kit.holds('webhooks:event:paused-at-event', !told.has(requestIdOf(paused)), 'an event of its pause, sent later');
      kit.holds(
        'webhooks:event:uncertain-silent',
        !told.has(lost.json.at('error', 'request_id').text()),
        'an event of an uncertain request',
      );
      kit.holds(
        'webhooks:event:subscribed-only',
        !kit.receiver.at(failures.path).some(({ body }) => body.includes('request.completed')),
        'an event that is not subscribed',
      );
      for (const one of [hook, failures]) await remove(kit, one);
    },
  ),
];
