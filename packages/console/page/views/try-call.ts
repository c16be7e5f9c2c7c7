import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { api } from '../api.ts';
import { Field, Form, type ReadField } from '../dialog.ts';
import { credits, span } from '../format.ts';
import { html } from '../html.ts';
import { requestLink } from '../links.ts';
import { readJson } from '../read-json.ts';
import type { Operation } from '../records.ts';
import { ProjectChoice } from './project-choice.ts';

/** What is known of a call while it runs and after it. */
interface Tried {
  readonly answer: string | null;
  readonly operationId: string | null;
  readonly reserved: string | null;
  readonly charged: string | null;
  readonly state: string;
  readonly tookMs: number | null;
}

const nothing: Tried = { answer: null, operationId: null, reserved: null, charged: null, state: 'sent', tookMs: null };
const pollMs = 150;
const pollsMax = 400;

const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

interface Completion {
  readonly choices?: readonly { readonly message?: { readonly content?: string | null } }[];
  readonly error?: { readonly message?: string; readonly code?: string };
}

const answerOf = (body: Completion): string =>
  body.error === undefined
    ? (body.choices?.[0]?.message?.content ?? '')
    : `${body.error.code ?? 'refused'}: ${body.error.message ?? ''}`;

interface Call {
  readonly key: string;
  readonly model: string;
  readonly prompt: string;
  readonly identity: string;
}

/** Sends one chat with the key that the visitor typed; the console keeps no key. */
const send = async ({ key, model, prompt, identity }: Call): Promise<string> => {
  const response = await fetch('gateway/chat/completions', {
    method: 'POST',
    headers: {
      'x-tollgate-console': '1',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': identity,
    },
    body: JSON.stringify({
      ...(model === '' ? {} : { model }),
      messages: [{ role: 'user', content: prompt }],
    }),
  });
  return answerOf(await readJson<Completion>(response));
};

/** The request of an Idempotency-Key, followed until it has ended. */
const follow = async (projectId: string, identity: string, show: (change: Partial<Tried>) => void): Promise<void> => {
  for (let polls = 0; polls < pollsMax; polls += 1) {
    await pause(pollMs);
    const found = await api
      .get<Operation>('operations/by-identity', { project_id: projectId, identity })
      .catch(() => null);
    if (found === null) continue;
    const isOpen = found.ended_at === null;
    show({
      operationId: found.id,
      state: found.state,
      ...(isOpen ? { reserved: found.hold_credits } : { charged: found.charged_credits }),
    });
    if (!isOpen || found.state === 'uncertain') return;
  }
};

/** What became of a call. */
const Outcome = ({ tried }: { readonly tried: Tried }): VNode =>
  html`<div class="card" role="status">
    <dl class="facts">
      <dt>State</dt>
      <dd data-testid="try-state">${tried.state}</dd>
      <dt>Reserved</dt>
      <dd>${tried.reserved === null ? '–' : `${credits(tried.reserved)} credits`}</dd>
      <dt>Charged</dt>
      <dd data-testid="try-charged">${tried.charged === null ? '–' : `${credits(tried.charged)} credits`}</dd>
      <dt>Took</dt>
      <dd>${tried.tookMs === null ? '–' : span(tried.tookMs)}</dd>
      <dt>Request</dt>
      <dd>${tried.operationId === null ? '–' : requestLink(tried.operationId)}</dd>
      <dt>Response</dt>
      <dd data-testid="try-answer">${tried.answer ?? '…'}</dd>
    </dl>
  </div>`;

/** Sends a call and shows what it reserves and what it is charged. */
export const TryView = (): VNode => {
  const [tried, setTried] = useState<Tried | null>(null);
  const [projectId, setProjectId] = useState('');
  const run = async (read: ReadField): Promise<void> => {
    const identity = `console-${crypto.randomUUID()}`;
    const show = (change: Partial<Tried>): void => setTried((before) => ({ ...(before ?? nothing), ...change }));
    setTried(nothing);
    const startedAt = performance.now();
    const following = projectId === '' ? Promise.resolve() : follow(projectId, identity, show);
    const answer = await send({ key: read('key'), model: read('model'), prompt: read('prompt'), identity });
    show({ answer, tookMs: performance.now() - startedAt });
    await following;
  };
  return html`<h1>Try a call</h1>
    <p>The call is charged to the key's account like any other. The console does not keep the key.</p>
    <${ProjectChoice} value=${projectId} onChange=${setProjectId} />
    <${Form} submit="Send" onSubmit=${run}>
      <${Field} name="key" label="Key" type="password" required autocomplete="off" />
      <${Field} name="model" label="Model" note="Empty: the gateway chooses." />
      <label class="field"><span>Prompt</span><textarea name="prompt" required></textarea></label>
    <//>
    ${tried === null ? null : html`<${Outcome} tried=${tried} />`}`;
};
