import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { SharedServices } from '../../../http/shared-services.ts';

type OpenWindow = NonNullable<Awaited<ReturnType<SharedServices['openings']['packages']['findWindow']>>>;
type MenuItem = OpenWindow['menu'][number];

interface MenuMessages {
  contents: string;
  handout: string;
  /** Texts of the statuses, by their names in `MenuItem`. */
  statuses: Record<NonNullable<MenuItem['status']>, string>;
}

const menuMessages: Record<Language, MenuMessages> = {
  en: {
    contents: 'Contents',
    handout: 'handout',
    statuses: { begun: 'in progress', completed: 'completed', passed: 'passed', failed: 'not passed' },
  },
  de: {
    contents: 'Inhalt',
    handout: 'Begleitmaterial',
    statuses: { begun: 'begonnen', completed: 'abgeschlossen', passed: 'bestanden', failed: 'nicht bestanden' },
  },
  fr: {
    contents: 'Sommaire',
    handout: 'support de cours',
    statuses: { begun: 'en cours', completed: 'terminé', passed: 'réussi', failed: 'non réussi' },
  },
};

/** Renders the items of the manifest as a menu; null for a package with one page. */
export function renderMenu({
  menu,
  position,
  language,
  token,
}: Pick<OpenWindow, 'menu' | 'position' | 'language'> & { token: string }): Html | null {
  if (menu.filter(({ isHeading }) => !isHeading).length < 2) return null;
  const current = menu.find((item) => item.position === position);
  const messages = menuMessages[language];
  return html`<nav aria-label=${messages.contents}>
    <details>
      <summary>${messages.contents}<span class="current">${current?.title}</span></summary>
      ${renderLevel(menu, (entry) => renderItem(entry, { messages, position, token }))}
    </details>
  </nav>`;
}

/** Renders the entries of one level, each with the deeper entries after it. */
function renderLevel(entries: readonly MenuItem[], renderEntry: (entry: MenuItem) => Html): Html {
  const level = Math.min(...entries.map((entry) => entry.level));
  const starts = entries.flatMap((entry, index) => (index === 0 || entry.level === level ? [index] : []));
  return html`<ol>
    ${starts.map((start, index) => {
      const below = entries.slice(start + 1, starts[index + 1]);
      return html`<li>${renderEntry(entries[start]!)}${below.length > 0 && renderLevel(below, renderEntry)}</li>`;
    })}
  </ol>`;
}

function renderItem(
  { position, title, isHeading, isSco, status, downloadPath }: MenuItem,
  { messages, position: current, token }: { messages: MenuMessages; position: number; token: string },
): Html {
  if (isHeading) return html`<span dir="auto">${title}</span>`;
  const note = isSco ? status && messages.statuses[status] : messages.handout;
  const text = html`<bdi>${title}</bdi>${note && html` <small>${note}</small>`}`;
  if (downloadPath !== null) return html`<a download href=${`/packages/${token}/${downloadPath}`}>${text}</a>`;
  return html`<a
    href=${`/play/${token}?item=${position}`}
    data-item=${String(position)}
    aria-current=${position === current ? 'page' : null}
    >${text}</a
  >`;
}
