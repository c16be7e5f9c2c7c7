import { describe, expect, test } from 'vitest';
import { rowOf, versionIn } from '../../test/clients/client-table.ts';
import type { RunningGateway } from '../../test/clients/running-gateway.ts';
import { answerMicros, finalText, report, runSession } from './agent-session.ts';
import { claudeCode, codex, codingAgents, pi } from './coding-agents.ts';

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

/** Agents that obey what the gateway says of a repeat, and the status of a wrong key and of an unknown outcome for each. */
const obedient = [
  [codex.name, codex, { wrongKey: 400, unknown: 400 }],
  [claudeCode.name, claudeCode, { wrongKey: 401, unknown: 500 }],
] as const;

test.each(obedient)('%s asks once with a wrong key', { timeout: testMsMax }, async (_, agent, { wrongKey }) => {
  const keyOf = (): Promise<string> => Promise.resolve('sk-wrong');
  await runSession(agent, { turns: 1, keyOf }, ({ exitCode, upstream, running }) => {
    expect(running.wire.map(({ answer }) => answer.status)).toEqual([wrongKey]);
    expect(upstream.asked).toEqual([]);
    expect(exitCode).not.toBe(0);
  });
});

test.each(obedient)(
  '%s asks once where the outcome is unknown, and is charged nothing',
  { timeout: testMsMax },
  async (_, agent, { unknown }) => {
    const reply = { kind: 'lost', text: null } as const;
    await runSession(agent, { turns: 1, reply }, ({ exitCode, upstream, running, chargedMicros }) => {
      expect(running.wire.map(({ answer }) => answer.status)).toEqual([unknown]);
      expect(upstream.asked).toHaveLength(1);
      expect(exitCode).not.toBe(0);
      expect(chargedMicros).toBe(0n);
    });
  },
);

test('Codex asks once where a stream fails after its first piece', { timeout: testMsMax }, async () => {
  const reply = { kind: 'lost', text: 'Half' } as const;
  await runSession(codex, { turns: 1, reply }, ({ exitCode, upstream, running, chargedMicros }) => {
    expect(running.wire.map(({ answer }) => answer.status)).toEqual([200]);
    expect(upstream.asked).toHaveLength(1);
    expect(exitCode).not.toBe(0);
    expect(chargedMicros).toBe(0n);
  });
});

test('Claude Code asks once more, without a stream, where a stream fails', { timeout: testMsMax }, async () => {
  const reply = { kind: 'lost', text: 'Half' } as const;
  await runSession(claudeCode, { turns: 1, reply }, ({ exitCode, upstream, running, chargedMicros }) => {
    const streamed = running.wire.map(({ sent }) => sent?.includes('"stream":true') === true);
    expect(running.wire.map(({ answer }, at) => [answer.status, streamed[at]])).toEqual([
      [200, true],
      [500, false],
    ]);
    expect(upstream.asked).toHaveLength(2);
    expect(exitCode).not.toBe(0);
    expect(chargedMicros).toBe(0n);
  });
});
