import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { api } from './api.ts';
import { html } from './html.ts';
import { linkTo, usePlace, type Place } from './router.ts';
import { settings } from './settings.ts';
import { Shown } from './shown.ts';
import { SignIn } from './sign-in.ts';
import { onSignedOut } from './signed-out.ts';
import { useData } from './use-data.ts';
import type { Visitor } from './visitor.ts';
import { sections } from './sections.ts';

const Menu = ({ place, visitor }: { readonly place: Place; readonly visitor: Visitor }): VNode => {
  const current = place.parts[0] ?? '';
  const offered = sections.filter(({ isOffered }) => isOffered(visitor));
  return html`<nav aria-label="Sections">
    <strong>${settings.title}</strong>
    <ul>
      ${offered.map(
        ({ path, name }) =>
          html`<li><a href=${linkTo(path)} aria-current=${path === current ? 'page' : undefined}>${name}</a></li>`,
      )}
    </ul>
    <footer>
      <div>${visitor.name}</div>
      ${
        settings.hasSignIn
          ? html`<button type="button" class="quiet" onClick=${() => void api.signOut().then(() => location.reload())}>
              Sign out
            </button>`
          : null
      }
    </footer>
  </nav>`;
};

const Section = ({ place, visitor }: { readonly place: Place; readonly visitor: Visitor }): VNode => {
  const section = sections.find(({ path }) => path === (place.parts[0] ?? ''));
  useEffect(() => {
    document.title = `${section?.name ?? 'Not found'} · ${settings.title}`;
  }, [section]);
  if (section === undefined || !section.isOffered(visitor)) return html`<h1>There is no such page</h1>`;
  return html`<${section.view} place=${place} visitor=${visitor} />`;
};

/** The whole page: a form to sign in, or the menu and the view that the address names. */
export const App = (): VNode => {
  const place = usePlace();
  const [isOut, setOut] = useState(false);
  const [visitor, reload] = useData('visitor', () => api.get<Visitor>('me'));
  useEffect(() => onSignedOut(() => setOut(true)), []);
  if (isOut)
    return html`<${SignIn}
      onSignedIn=${() => {
        setOut(false);
        reload();
      }}
    />`;
  return html`<${Shown} data=${visitor}>
    ${(known: Visitor) =>
      html`<div class="frame">
        <a
          class="skip"
          href="#content"
          onClick=${(event: Event) => {
            event.preventDefault();
            document.querySelector<HTMLElement>('main')?.focus();
          }}
          >To the content</a
        >
        <${Menu} place=${place} visitor=${known} />
        <main id="content" tabindex="-1"><${Section} place=${place} visitor=${known} /></main>
      </div>`}
  <//>`;
};
