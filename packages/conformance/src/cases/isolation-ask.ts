import type { Kit, KitAsk } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';

export const rule: RuleId = 'auth:project:isolated';

/** Creates one, and returns its id. */
export const made = async (kit: Kit, ask: KitAsk, status = 200): Promise<string> =>
  kit
    .taken(rule, await kit.send(ask), status)
    .at('id')
    .text();

/** Each way to it is 404 for another project. */
export const hidden = async (kit: Kit, path: string, methods: readonly string[]): Promise<void> => {
  for (const method of methods) {
    const { status } = await kit.send({ method, path, by: 'other' });
    kit.same(rule, status, 404, `${method} ${path} by another project`);
  }
};

/** A change by another project is 404, and the project that it belongs to sees none. */
export const unchanged = async (kit: Kit, path: string, body: Readonly<Record<string, unknown>>): Promise<void> => {
  const names = Object.keys(body);
  const read = async (): Promise<readonly unknown[]> => {
    const record = kit.taken(rule, await kit.send({ path }));
    return names.map((name) => record.at(name).value);
  };
  const before = await read();
  const { status } = await kit.send({ method: 'PATCH', path, body, by: 'other' });
  kit.same(rule, status, 404, `PATCH ${path} by another project`);
  kit.same(rule, await read(), before, `${names.join(', ')} of ${path} after PATCH by another project`);
};

/** It is still there for the project that it belongs to. */
export const kept = async (kit: Kit, ask: KitAsk): Promise<void> => {
  const { status } = await kit.send(ask);
  kit.same(rule, status, 200, `GET ${ask.path} after DELETE by another project`);
};

const listed = async (kit: Kit, path: string, id: string): Promise<boolean> => {
  const { json } = await kit.send({ path, by: 'other' });
  return json
    .at('data')
    .list()
    .some((one) => one.at('id').value === id);
};

export const isListedNowhere = async (kit: Kit, path: string, id: string): Promise<void> => {
  kit.holds(rule, !(await listed(kit, path, id)), `${path} shows another project what is not its own`);
};
