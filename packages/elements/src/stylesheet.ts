/** Colours and corners follow custom properties of the page, with defaults for light and dark. */
const css = `
:host { display: block; font: inherit; color: inherit; }
:host([hidden]) { display: none; }
.amount { font-variant-numeric: tabular-nums; font-weight: 600; }
.soft { color: var(--tollgate-soft, light-dark(#55636f, #9fadb6)); }
.refusal { color: var(--tollgate-bad, light-dark(#b91c1c, #fca5a5)); }
button { font: inherit; cursor: pointer; padding: 0.5rem 0.9rem; border-radius: var(--tollgate-radius, 8px);
  border: 1px solid var(--tollgate-accent, light-dark(#0f766e, #2dd4bf)); background: var(--tollgate-surface, transparent); color: inherit; }
button:hover:not(:disabled) { background: var(--tollgate-accent-soft, light-dark(#0f766e22, #2dd4bf2b)); }
button:disabled { opacity: 0.6; cursor: progress; }
:focus-visible { outline: 2px solid var(--tollgate-accent, light-dark(#0f766e, #2dd4bf)); outline-offset: 2px; }
.packs { display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0; margin: 0; list-style: none; }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; padding-bottom: 0.4rem; }
th, td { text-align: left; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid var(--tollgate-line, light-dark(#dde3e7, #2b343a)); }
.figure { text-align: right; font-variant-numeric: tabular-nums; }
`;

let sheet: CSSStyleSheet | null = null;

/** One stylesheet for all elements of a page; a constructed one passes a strict policy. */
export const stylesheet = (): CSSStyleSheet => {
  if (sheet === null) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
  }
  return sheet;
};
