import type { VNode } from 'preact';
import { html } from './html.ts';

/** A column: its head, and what it shows of a row. */
export interface Column<R> {
  readonly head: string;
  readonly cell: (row: R) => unknown;
  /** Figures stand to the right. */
  readonly isFigure?: boolean;
}

interface TableProps<R> {
  readonly caption: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly keyOf: (row: R) => string;
  readonly empty: string;
}

/** Rows under their heads. On a narrow screen each row is a card, whose cells carry their heads. */
export const Table = <R>({ caption, columns, rows, keyOf, empty }: TableProps<R>): VNode =>
  rows.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<div class="table-frame">
        <table>
          <caption class="visually-hidden">
            ${caption}
          </caption>
          <thead>
            <tr>
              ${columns.map(({ head, isFigure }) => html`<th scope="col" class=${isFigure ? 'figure' : ''}>${head}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (row) =>
                html`<tr key=${keyOf(row)}>
                  ${columns.map(
                    ({ head, cell, isFigure }) =>
                      html`<td data-head=${head} class=${isFigure ? 'figure' : ''}>${cell(row)}</td>`,
                  )}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;
