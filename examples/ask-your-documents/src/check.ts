// Two PDF files that this program writes, indexed in a store and asked with citations: it asserts, and ends by itself.
import assert from 'node:assert/strict';
import {
  send,
  waitFor,
  type Document,
  type Interaction,
  type Passage,
  type Resource,
  type Store,
  type Target,
} from './documents-client.ts';
import { startGateway } from './start-gateway.ts';
import { writePdf } from './write-pdf.ts';

const library: Readonly<Record<string, readonly string[]>> = {
  'harbour.pdf': [
    'Rules of the harbour.\nShips report to the harbour master before they enter.',
    'Opening hours.\nThe lock of the harbour opens at six in the morning and closes at eleven at night.',
  ],
  'bakery.pdf': [
    'Rye bread.\nThe dough of rye flour and water rests for a whole night.',
    'Ovens.\nThe oven is heated with beech wood to 250 degrees.',
    'Deliveries.\nBread is delivered to the ships in the harbour at half past five.',
  ],
};

const upload = async (target: Target, name: string, pages: readonly string[]): Promise<string> => {
  const data = Buffer.from(writePdf(pages)).toString('base64');
  const { id } = await send<Resource>(target, 'POST', '/files', {
    display_name: name,
    mime_type: 'application/pdf',
    data,
  });
  return id;
};

const indexLibrary = async (target: Target): Promise<Store> => {
  const store = await send<Store>(target, 'POST', '/stores', { display_name: 'Library' });
  assert.equal(store.status, 'active');
  for (const [name, pages] of Object.entries(library)) {
    const file = await upload(target, name, pages);
    const { id } = await send<Document>(target, 'POST', '/documents', { store: store.id, file });
    const document = await waitFor<Document>(target, `/documents/${id}`);
    assert.deepEqual([document.status, document.error_code, document.display_name], ['completed', null, name]);
    assert.equal(document.result?.chunk_count, pages.length);
    assert.ok(document.result.service.credits > 0);
  }
  const indexed = await send<Store>(target, 'GET', `/stores/${store.id}`);
  assert.equal(indexed.document_count, 2);
  console.log('ok  two PDF files are indexed');
  return indexed;
};

/** The sandbox calls the tool because it is asked to; a real model decides by itself. */
const ask = async (target: Target, store: Store, question: string): Promise<Interaction> => {
  const told = `[[sandbox: tool file_search ${JSON.stringify({ query: question })}]]`;
  const { id } = await send<Interaction>(target, 'POST', '/interactions', {
    input: `${question} ${told}`,
    tools: [{ type: 'file_search', stores: [store.id] }],
  });
  const answered = await waitFor<Interaction>(target, `/interactions/${id}`);
  assert.deepEqual([answered.status, answered.error_code], ['completed', null]);
  return answered;
};

const passagesOf = ({ result }: Interaction): readonly Passage[] =>
  result?.steps.find(({ type }) => type === 'file_search_result')?.result ?? [];

const askWithCitations = async (target: Target, store: Store): Promise<void> => {
  const answered = await ask(target, store, 'When does the lock of the harbour open in the morning?');
  const [best] = passagesOf(answered);
  assert.deepEqual([best?.file_name, best?.page_number], ['harbour.pdf', 2]);
  assert.match(best?.text ?? '', /opens at six in the morning/);
  const output = answered.result?.steps.findLast(({ type }) => type === 'model_output');
  const [citation] = output?.content?.flatMap(({ annotations = [] }) => annotations) ?? [];
  assert.deepEqual([citation?.type, citation?.file_name, citation?.page_number], ['file_citation', 'harbour.pdf', 2]);
  assert.equal(citation?.document_id, best?.document_id);
  assert.ok((answered.result?.service.credits ?? 0) > 0);
  console.log('ok  asked, answered and cited: harbour.pdf, page 2');
  const other = await ask(target, store, 'How hot is the oven, and with what wood is it heated?');
  const [oven] = passagesOf(other);
  assert.deepEqual([oven?.file_name, oven?.page_number], ['bakery.pdf', 2]);
  console.log('ok  asked, answered and cited: bakery.pdf, page 2');
};

const forgetOne = async (target: Target, store: Store): Promise<void> => {
  const documents = await send<{ readonly data: readonly Document[] }>(target, 'GET', '/documents');
  const harbour = documents.data.find(({ display_name: name }) => name === 'harbour.pdf');
  assert.ok(harbour);
  assert.equal((await send<Document>(target, 'DELETE', `/documents/${harbour.id}`)).status, 'deleted');
  const found = passagesOf(await ask(target, store, 'When does the lock of the harbour open in the morning?'));
  assert.ok(found.length > 0);
  assert.ok(found.every(({ file_name: name }) => name === 'bakery.pdf'));
  assert.equal((await send<Store>(target, 'DELETE', `/stores/${store.id}`)).status, 'deleted');
  console.log('ok  what is deleted is not found');
};

const gateway = await startGateway();
try {
  const store = await indexLibrary(gateway);
  await askWithCitations(gateway, store);
  await forgetOne(gateway, store);
  assert.deepEqual((await gateway.admin.audit()).violations, []);
} finally {
  await gateway.close();
}
