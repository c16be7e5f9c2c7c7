import { conformanceCase, type ConformanceCase } from '../kit/conformance-case.ts';
import { requestIdOf } from '../wire/exchange.ts';
import { parseJson } from '../wire/json.ts';
import { say } from './bodies.ts';
import { openSession, sessionRecord } from './live-access.ts';
import { needs, hooked, eventsOf, only, headerOf, deliveryOf, remove } from './webhook-event-ask.ts';

export const webhookDeliveryCases: readonly ConformanceCase[] = [
  conformanceCase(
    'sends again under the same id what was not taken',
    {
      charges: 2,
      rules: ['webhooks:delivery:same-event-id', 'webhooks:delivery:to-pending', 'webhooks:delivery:no-ordering'],
      needs: [...needs, 'slow'],
    },
    async (kit) => {
      const hook = await hooked(kit, 'webhooks:delivery:same-event-id');
      kit.receiver.respond(hook.path, 500);
      const answer = await kit.chat();
      await only(kit, 'webhooks:delivery:same-event-id', hook, answer);
      const delivery = await deliveryOf(kit, hook, answer, 'pending');
      kit.same(
        'webhooks:delivery:to-pending',
        [delivery.at('status').value, delivery.at('attempts').value, delivery.at('http_status').value],
        ['pending', 1, 500],
        'status, attempts and http_status',
      );
      kit.receiver.respond(hook.path, 200);
      const later = await kit.chat();
      kit.same(
        'webhooks:delivery:no-ordering',
        (await eventsOf(kit, hook, requestIdOf(later))).length,
        1,
        'a later event',
      );
      const [first, second] = await eventsOf(kit, hook, requestIdOf(answer), 2);
      kit.need(
        'webhooks:delivery:same-event-id',
        first !== undefined && second !== undefined,
        'the event does not come again',
      );
      if (first === undefined || second === undefined) return;
      kit.same(
        'webhooks:delivery:same-event-id',
        [parseJson(second.body).at('id').value, second.body],
        [parseJson(first.body).at('id').value, first.body],
        'id and body of the repeat',
      );
      kit.holds(
        'webhooks:delivery:same-event-id',
        headerOf(first, `x-${kit.brand}-signature`) !== headerOf(second, `x-${kit.brand}-signature`),
        'the repeat has no signature of its own',
      );
      await remove(kit, hook);
    },
  ),

  conformanceCase(
    'sends events of its own project alone',
    { charges: 2, rules: ['webhooks:event:project-only'], needs: [...needs, 'other'] },
    async (kit) => {
      const hook = await hooked(kit, 'webhooks:event:project-only');
      const foreign = await kit.chat(JSON.stringify(say('Hello')), { by: 'other' });
      const own = await kit.chat();
      await only(kit, 'webhooks:event:project-only', hook, own);
      kit.holds(
        'webhooks:event:project-only',
        !kit.receiver.at(hook.path).some(({ body }) => body.includes(requestIdOf(foreign))),
        'an event of another project',
      );
      await remove(kit, hook);
    },
  ),
  conformanceCase(
    'lets no receiver hold up a response',
    { charges: 1, rules: ['webhooks:delivery:off-request-path'], needs },
    async (kit) => {
      const hook = await hooked(kit, 'webhooks:delivery:off-request-path');
      const release = kit.receiver.hold(hook.path);
      const answer = await kit.chat();
      kit.same('webhooks:delivery:off-request-path', answer.status, 200, 'the status while a receiver hangs');
      await only(kit, 'webhooks:delivery:off-request-path', hook, answer);
      release();
      await remove(kit, hook);
    },
  ),
  conformanceCase(
    'tells of a session as of any request',
    { charges: 1, rules: ['webhooks:event:live-and-triggers'], needs: [...needs, 'realtime'] },
    async (kit) => {
      const hook = await hooked(kit, 'webhooks:event:live-and-triggers');
      const { socket, id } = await openSession(kit, 'webhooks:event:live-and-triggers');
      socket.close();
      await sessionRecord(kit, 'webhooks:event:live-and-triggers', id);
      kit.same('webhooks:event:live-and-triggers', (await eventsOf(kit, hook, id)).length, 1, 'events of the session');
      await remove(kit, hook);
    },
  ),
  conformanceCase(
    'follows no redirect',
    {
      charges: 1,
      rules: ['webhooks:delivery:no-redirects', 'ledger:free:webhook-redelivery'],
      needs: [...needs, 'slow'],
    },
    async (kit) => {
      const hook = await hooked(kit, 'webhooks:delivery:no-redirects');
      kit.receiver.respond(hook.path, 302);
      const answer = await kit.chat();
      const delivery = await deliveryOf(kit, hook, answer, 'pending');
      kit.same(
        'webhooks:delivery:no-redirects',
        [delivery.at('http_status').value, kit.receiver.at(`${hook.path}/elsewhere`).length],
        [302, 0],
        'http_status, and requests at the new place',
      );
      kit.receiver.respond(hook.path, 200);
      await eventsOf(kit, hook, requestIdOf(answer), 2);
      const record = await kit.send({ path: `/requests/${requestIdOf(answer)}` });
      kit.same(
        'ledger:free:webhook-redelivery',
        record.json.at('charged_credits').value,
        answer.json.at(kit.brand, 'credits').value,
        'charged_credits after a second delivery',
      );
      await remove(kit, hook);
    },
  ),

  conformanceCase(
    'skips for good what is due while a webhook is paused',
    { charges: 1, rules: ['webhooks:delivery:to-skipped'], needs: [...needs, 'slow'] },
    async (kit) => {
      const rule = 'webhooks:delivery:to-skipped';
      const hook = await hooked(kit, rule);
      kit.receiver.respond(hook.path, 500);
      const answer = await kit.chat();
      await deliveryOf(kit, hook, answer, 'pending');
      const enable = (enabled: boolean) =>
        kit.send({ method: 'PATCH', path: `/webhooks/${hook.id}`, body: { enabled } });
      await enable(false);
      kit.fields(rule, await deliveryOf(kit, hook, answer, 'skipped'), { status: 'skipped' });
      await enable(true);
      kit.fields(rule, await deliveryOf(kit, hook, answer, 'skipped'), { status: 'skipped', attempts: 1 });
      await remove(kit, hook);
    },
  ),
];
