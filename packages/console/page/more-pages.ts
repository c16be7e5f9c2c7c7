import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from './html.ts';
import { Shown } from './shown.ts';
import { Table, type Column } from './table.ts';
import { useData } from './use-data.ts';

/** A page of a list; `next` leads to the following one. */
export interface Page<R> {
  readonly data: readonly R[];
  readonly next: string | null;
}

interface PagedTableProps<R> {
  readonly caption: string;
  /** Changes when another list is meant. */
  readonly listKey: string;
  readonly load: (after: string | null) => Promise<Page<R>>;
  readonly columns: readonly Column<R>[];
  readonly keyOf: (row: R) => string;
  readonly empty: string;
}

/** A list that is read page by page: the way back is kept, and only the page in view is loaded. */
export const PagedTable = <R>({ listKey, load, ...table }: PagedTableProps<R>): VNode => {
  const [trail, setTrail] = useState<readonly string[]>([]);
  useEffect(() => setTrail([]), [listKey]);
  const after = trail.at(-1) ?? null;
  const [data] = useData(`${listKey} ${after ?? ''}`, () => load(after));
  return html`<${Shown} data=${data}>
    ${({ data: rows, next }: Page<R>) => html`
      <${Table} ...${table} rows=${rows} />
      ${
        trail.length === 0 && next === null
          ? null
          : html`<nav class="row" aria-label=${`Pages of ${table.caption}`}>
              <button type="button" disabled=${trail.length === 0} onClick=${() => setTrail(trail.slice(0, -1))}>
                Newer
              </button>
              <button
                type="button"
                disabled=${next === null}
                onClick=${() => next !== null && setTrail([...trail, next])}
              >
                Older
              </button>
            </nav>`
      }
    `}
  <//>`;
};
