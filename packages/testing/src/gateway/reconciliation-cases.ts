import assert from 'node:assert/strict';
import type { ResolveAnswer, Verdict } from '@tollgate/engine';
import { assertRefused } from './answer.ts';
import { batchClient, batchOf, batchSettings, itemMicros } from './batch-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { workThrough } from './video-ask.ts';
import { eventsReceived, hookId, receiving } from './webhook-ask.ts';

/** A chat whose answer is lost after the upstream has said what went in; returns the operation's id. */
const lostChat = async (world: GatewayWorld): Promise<string> => {
  world.provider.script({
    kind: 'unknown',
    upstreamId: 'req-of-the-upstream',
    usageAtLeast: [{ unit: 'input_text_tokens', quantity: 50_000, confirmed: false }],
  });
  return assertRefused(await world.chat(), 502, 'request_failed')
    .at('request_id')
    .text();
};

const tokens = (quantity: number) => [{ unit: 'input_text_tokens', quantity }] as const;

const note = { by: 'ada', reason: 'the bill of November', reference: 'bill-11' };

/** What the verdict came to, and what the wallet had before and has now. */
const decide = async (
  world: GatewayWorld,
  id: string,
  verdict: Verdict,
): Promise<{ readonly answer: ResolveAnswer; readonly paidMicros: bigint; readonly reservedMicros: bigint }> => {
  const before = await world.wallet.read(world.accountId);
  const answer = await world.admin.resolveOperation(id, verdict, note);
  const { balanceMicros, reservedMicros } = await world.wallet.read(world.accountId);
  return { answer, paidMicros: before.balanceMicros - balanceMicros, reservedMicros };
};

/** How an operation whose outcome is unknown is found on the upstream's bill, and decided by it. */
export const reconciliationCases: readonly GatewayCase[] = [
  gatewayCase(
    'keeps for the operator what the upstream calls a lost request and had used by then, and shows clients nothing of it',
    async (world) => {
      const id = await lostChat(world);
      const operation = await world.admin.readOperation(id);
      assert.deepEqual(operation?.usageAtLeast, [{ unit: 'input_text_tokens', quantity: 50_000 }]);
      assert.equal(operation?.usage, null);
      assert.deepEqual(
        operation?.attempts.map(({ outcome, upstreamId, usageAtLeast }) => [outcome, upstreamId, usageAtLeast]),
        [['unknown', 'req-of-the-upstream', [{ unit: 'input_text_tokens', quantity: 50_000 }]]],
      );
      const shown = JSON.stringify((await world.record(id)).value);
      assert.ok(!shown.includes('req-of-the-upstream') && !shown.includes('50000'), 'a client sees it');
    },
  ),
  gatewayCase(
    'keeps what was measured of an answer that is not confirmed as what was used at the least',
    async (world) => {
      world.provider.script({
        kind: 'answer',
        generation: { usage: [{ unit: 'output_text_tokens', quantity: 7, confirmed: false }] },
      });
      const id = assertRefused(await world.chat(), 502, 'request_failed')
        .at('request_id')
        .text();
      const operation = await world.admin.readOperation(id);
      assert.deepEqual(
        [operation?.usage, operation?.usageAtLeast],
        [null, [{ unit: 'output_text_tokens', quantity: 7 }]],
      );
    },
  ),
  gatewayCase(
    'charges a lost request by the usage of a bill, or by what was used at the least, and says who decided it',
    async (world) => {
      const billed = await decide(world, await lostChat(world), { executed: true, usage: tokens(60_000) });
      assert.deepEqual([billed.answer.kind, billed.paidMicros, billed.reservedMicros], ['resolved', 60_000_000n, 0n]);
      const id = await lostChat(world);
      const known = await decide(world, id, { executed: true, usage: 'at_least' });
      assert.deepEqual([known.answer.kind, known.paidMicros, known.reservedMicros], ['resolved', 50_000_000n, 0n]);
      const operation = await world.admin.readOperation(id);
      const { kind, amountMicros, usage, by, reason, reference } = operation?.verdict ?? {};
      assert.deepEqual(
        { kind, amountMicros, usage, by, reason, reference },
        { kind: 'charge_measured', amountMicros: '50000000', usage: [...tokens(50_000)], ...note },
      );
      assert.deepEqual(operation?.usage, tokens(50_000));
      const record = await world.record(id);
      assert.deepEqual(
        [record.at('status').value, record.at('charged_credits').value, record.at('response').value],
        ['completed', 50, null],
      );
      assert.ok(!JSON.stringify(record.value).includes('bill-11'), 'a client sees the verdict');
    },
  ),
  gatewayCase('changes nothing for the same verdict again, and refuses another one', async (world) => {
    const id = await lostChat(world);
    const verdict = { executed: true, usage: tokens(7) } as const;
    await decide(world, id, verdict);
    const again = await decide(world, id, verdict);
    assert.deepEqual(
      [again.answer.kind, again.answer.kind === 'resolved' && again.answer.repeated, again.paidMicros],
      ['resolved', true, 0n],
    );
    for (const other of [{ executed: false }, { executed: true, usage: 'at_least' }] as const) {
      const refused = await decide(world, id, other);
      assert.deepEqual([refused.answer.kind, refused.paidMicros], ['decided_otherwise', 0n]);
    }
    assert.equal((await world.admin.readOperation(id))?.state, 'completed');
  }),
  gatewayCase('frees the hold of what was on no bill, and says so again for the same verdict', async (world) => {
    const id = await lostChat(world);
    const freed = await decide(world, id, { executed: false });
    assert.deepEqual([freed.answer.kind, freed.paidMicros, freed.reservedMicros], ['resolved', 0n, 0n]);
    assert.equal((await world.admin.readOperation(id))?.verdict?.reference, 'bill-11');
    const { answer } = await decide(world, id, { executed: false });
    assert.equal(answer.kind === 'resolved' && answer.repeated, true);
  }),
  gatewayCase('has one winner among verdicts that are given at once', async (world) => {
    const id = await lostChat(world);
    const before = await world.wallet.read(world.accountId);
    const answers = await Promise.all(
      [3, 4, 5].map((quantity) => world.admin.resolveOperation(id, { executed: true, usage: tokens(quantity) })),
    );
    const decided = await world.admin.readOperation(id);
    const after = await world.wallet.read(world.accountId);
    assert.equal(answers.filter(({ kind }) => kind === 'resolved').length, 1);
    assert.equal(before.balanceMicros - after.balanceMicros, BigInt(decided?.verdict?.amountMicros ?? 0));
    assert.equal(after.reservedMicros, 0n);
  }),
  gatewayCase(
    'charges a batch by its parts: what was measured of some, and what a bill says of the lost ones',
    async (world) => {
      world.provider.script({ kind: 'answer' }, { kind: 'unknown' }, { kind: 'unknown' });
      const id = await batchClient(world).created(batchOf('a', 'b', 'c'));
      await workThrough(world);
      const parts = (await world.admin.listParts(id)) ?? [];
      const lost = parts.filter(({ state }) => state === 'unknown').map(({ part }) => part);
      assert.deepEqual([parts.length, lost.length], [3, 2]);
      const [first = '', second = ''] = lost;
      const partial = { executed: true, parts: [{ part: first, executed: false }] } as const;
      const refused = await decide(world, id, partial);
      assert.deepEqual(refused.answer, { kind: 'parts_refused', missing: [second], repeated: [], notUnknown: [] });
      const billed = { part: second, executed: true, usage: tokens(10) } as const;
      const { answer, paidMicros, reservedMicros } = await decide(world, id, {
        executed: true,
        parts: [...partial.parts, billed],
      });
      // An item costs half of what the call costs: ten tokens are 5,000 micro-credits.
      assert.deepEqual([answer.kind, paidMicros, reservedMicros], ['resolved', itemMicros + 5_000n, 0n]);
    },
    batchSettings,
  ),
  gatewayCase(
    'reads a bill: charges what is on it, frees what is not, leaves what it cannot tell, and does nothing the second time',
    async (world) => {
      const lose = async (ids: { readonly upstreamId?: string }): Promise<string> => {
        world.provider.script({ kind: 'unknown', ...ids });
        return assertRefused(await world.chat(), 502, 'request_failed')
          .at('request_id')
          .text();
      };
      const billed = await lose({ upstreamId: 'req_billed' });
      const unbilled = await lose({ upstreamId: 'req_unbilled' });
      const nameless = await lose({});
      const rows = [
        { id: 'req_billed', usage: tokens(4_000) },
        { id: 'req_of_nobody', usage: tokens(1) },
      ];
      const input = { rows, covers: { fromMs: 0, untilMs: 8_000_000_000_000 }, note };
      const statesNow = async (): Promise<readonly (string | undefined)[]> =>
        Promise.all([billed, unbilled, nameless].map(async (id) => (await world.admin.readOperation(id))?.state));
      const dry = await world.admin.reconcile(input);
      assert.deepEqual(await statesNow(), ['uncertain', 'uncertain', 'uncertain']);
      assert.deepEqual(
        [
          dry.proposals.map(({ proposal }) => proposal.because).toSorted((a, b) => a.localeCompare(b)),
          dry.unmatchedCount,
        ],
        [['no_id', 'not_on_the_bill', 'on_the_bill'], 1],
      );
      const before = await world.wallet.read(world.accountId);
      await world.admin.reconcile({ ...input, apply: true });
      assert.deepEqual(await statesNow(), ['completed', 'failed', 'uncertain']);
      const after = await world.wallet.read(world.accountId);
      assert.equal(before.balanceMicros - after.balanceMicros, 4_000_000n);
      const again = await world.admin.reconcile({ ...input, apply: true });
      assert.deepEqual([again.proposals.length, again.differencesCount, again.unmatchedCount], [1, 0, 1]);
      assert.deepEqual(await world.wallet.read(world.accountId), after);
    },
  ),
  gatewayCase(
    'tells webhooks of a verdict as of any other end',
    async (world) => {
      await hookId(world);
      const charged = await lostChat(world);
      const freed = await lostChat(world);
      await decide(world, charged, { executed: true, usage: tokens(7_000) });
      await decide(world, freed, { executed: false });
      await world.runJobs();
      const told = eventsReceived(world).map((event) => [
        event.at('data', 'request_id').text(),
        [event.at('type').value, event.at('data', 'credits').value],
      ]);
      assert.deepEqual(Object.fromEntries(told), {
        [charged]: ['request.completed', 7],
        [freed]: ['request.failed', 0],
      });
    },
    receiving,
  ),
];
