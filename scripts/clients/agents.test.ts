import { describe, expect, test } from 'vitest';
import { rowOf, versionIn } from '../../test/clients/client-table.ts';
import type { RunningGateway } from '../../test/clients/running-gateway.ts';
import { answerMicros, finalText, report, runSession } from './agent-session.ts';
import { codingAgents, pi } from './coding-agents.ts';

const manifest = new URL('package.json', import.meta.url);
const testMsMax = 150_000;

describe.each(codingAgents.map((agent) => [agent.name, agent] as const))('%s', (name, agent) => {
  test(
    'reads two files at once by its own tools, writes one where it can, and is charged for each request',
    { timeout: testMsMax },
    async () => {
      await runSession(
        agent,
        { turns: 1 },
        ({ exitCode, output, errors, upstream, running, chargedMicros, written }) => {
          expect(output, errors).toContain(finalText);
          expect(exitCode).toBe(0);
          expect(running.wire.map(({ path, answer }) => [path, answer.status])).toEqual(
            Array.from({ length: agent.requests }, () => [`/api/v1/ai${agent.path}`, 200]),
          );
          expect(upstream.asked).toHaveLength(agent.requests);
          expect(chargedMicros).toBe(answerMicros * BigInt(agent.requests));
          expect(written).toBe(agent.writing === undefined ? null : report.text);
        },
      );
    },
  );

  test('the page says which version was tried, and how many requests its session made', () => {
    const cells = [`\`${name}\``, versionIn(manifest, name), String(agent.requests)];
    expect(rowOf(name)?.slice(0, 3)).toEqual(cells);
  });
});

/** A key of an account that nothing was paid into. */
const emptyKey = async ({ gateway: { admin } }: RunningGateway): Promise<string> => {
  const account = await admin.createAccount({ name: 'Empty' });
  const project = await admin.createProject({ accountId: account.id, name: 'Empty' });
  const key = await admin.createKey({ projectId: project?.id ?? '', model: null });
  if (key === null) throw new Error('no key');
  return key.key;
};

test.each(codingAgents.map((agent) => [agent.name, agent] as const))(
  '%s shows that the balance is too low, and asks no more',
  { timeout: testMsMax },
  async (_, agent) => {
    await runSession(agent, { turns: 1, keyOf: emptyKey }, ({ exitCode, output, errors, upstream, running }) => {
      expect(output + errors).toMatch(/This request needs 0\.\d+ credits, and 0 are available/);
      expect(exitCode).not.toBe(0);
      // Each of its own questions is asked once.
      expect(running.wire.length).toBeLessThan(agent.requests);
      expect(running.wire.every(({ answer }) => answer.status === (agent.refusal ?? 402))).toBe(true);
      expect(upstream.asked).toEqual([]);
    });
  },
);

test('a session of forty turns with tools goes on beyond a hundred messages', { timeout: testMsMax }, async () => {
  await runSession(pi, { turns: 40 }, ({ output, errors, upstream, chargedMicros }) => {
    expect(output, errors).toContain(finalText);
    expect(upstream.asked.at(-1)?.messages.length).toBeGreaterThan(100);
    expect(chargedMicros).toBe(answerMicros * 41n);
  });
});
