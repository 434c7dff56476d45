import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { renderDay } from '../../shared/parts/fields.ts';
import { dataTable } from '../../shared/parts/table.ts';

type DeprecatedUse = Schemas['DeprecatedUse'];

interface Messages {
  title: string;
  about: string;
  columns: readonly [key: string, operation: string, part: string, sunset: string, used: string];
  whole: string;
  supported: string;
}

const MESSAGES: Record<Language, Messages> = {
  en: {
    title: 'Deprecated parts of the API in use',
    about: 'Your programs have used these parts within the last 30 days. Replace them before they stop working.',
    columns: ['Key', 'Operation', 'Part', 'Works until', 'Last used'],
    whole: 'the operation itself',
    supported: 'no longer deprecated',
  },
  de: {
    title: 'Verwendete veraltete Teile der API',
    about:
      'Ihre Programme haben diese Teile in den letzten 30 Tagen verwendet. Ersetzen Sie sie, bevor sie nicht mehr funktionieren.',
    columns: ['Schlüssel', 'Operation', 'Teil', 'Funktioniert bis', 'Zuletzt verwendet'],
    whole: 'die Operation selbst',
    supported: 'nicht mehr veraltet',
  },
  fr: {
    title: 'Éléments obsolètes de l’API encore utilisés',
    about:
      'Vos programmes ont utilisé ces éléments au cours des 30 derniers jours. Remplacez-les avant qu’ils ne cessent de fonctionner.',
    columns: ['Clé', 'Opération', 'Élément', 'Fonctionne jusqu’au', 'Dernière utilisation'],
    whole: 'l’opération elle-même',
    supported: 'n’est plus obsolète',
  },
};

/**
 * Renders the deprecated parts of the API that keys of the company have used lately; nothing if there are none.
 * @param names the names of the keys, by id
 */
export function deprecatedUses(
  uses: readonly DeprecatedUse[],
  names: ReadonlyMap<string, string>,
  language: Language,
): Html | false {
  const { title, about, columns, whole, supported } = MESSAGES[language];
  const toRow = ({ apiKeyId, operationId, part, sunset, lastUsedAt }: DeprecatedUse) => [
    names.get(apiKeyId) ?? apiKeyId,
    html`<a href=${`/docs/operations/${operationId}`}><code>${operationId}</code></a>`,
    part === 'operation' ? whole : html`<code>${part}</code>`,
    renderDay(sunset, language, supported),
    renderDay(lastUsedAt, language, ''),
  ];
  return (
    uses.length > 0 &&
    html`<h2>${title}</h2>
      <p>${about}</p>
      ${dataTable({ caption: title, columns, rows: uses.map(toRow) })}
      ${apiCalls([{ operationId: 'listDeprecatedUses' }], language)}`
  );
}
