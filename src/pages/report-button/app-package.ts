// The app package for the Microsoft 365 admin center: the unified manifest, its texts in other languages, and two
// icons. The schema has supported integrated spam reports since version 1.20.
import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import type { Language } from '../../contract/languages.ts';
import { type AddIn, ICONS, shorten } from './add-in.ts';
import { type ManifestMessages, manifestMessages } from './manifest-messages.ts';

const SCHEMA_VERSION = '1.21';
const schemaUrl = (name: string) =>
  `https://developer.microsoft.com/json-schemas/teams/v${SCHEMA_VERSION}/MicrosoftTeams.${name}schema.json`;
const COLOR = readFileSync(new URL('assets/color.png', import.meta.url));
const OUTLINE = readFileSync(new URL('assets/outline.png', import.meta.url));

/** Builds the package as a ZIP file, whose bytes depend only on the add-in. */
export function buildAppPackage(addIn: AddIn): Buffer {
  const json = (value: object) => strToU8(`${JSON.stringify(value, null, 2)}\n`);
  const files = {
    'manifest.json': json(buildUnifiedManifest(addIn)),
    'de.json': json(buildLocalization('de')),
    'fr.json': json(buildLocalization('fr')),
    'color.png': COLOR,
    'outline.png': OUTLINE,
  };
  return Buffer.from(zipSync(files, { mtime: new Date('2026-01-01T00:00:00Z') }));
}

export function buildUnifiedManifest(addIn: AddIn): object {
  const { id, version, companyName, origin, base } = addIn;
  const { name, short, about, dialog } = manifestMessages.en;
  const mailbox = (minVersion: string) => ({ capabilities: [{ name: 'Mailbox', minVersion }], scopes: ['mail'] });
  const icons = ([16, 32, 80] as const).map((size) => ({ size, url: `${origin}${ICONS.get(size)!.path}` }));
  const appearance = { label: name, icons, supertip: { title: name, description: about } };
  return {
    $schema: schemaUrl(''),
    manifestVersion: SCHEMA_VERSION,
    ...{ id, version },
    localizationInfo: {
      defaultLanguageTag: 'en',
      additionalLanguages: [
        { languageTag: 'de', file: 'de.json' },
        { languageTag: 'fr', file: 'fr.json' },
      ],
    },
    developer: {
      name: shorten(companyName, 32),
      ...{ websiteUrl: `${origin}/`, privacyUrl: `${origin}/`, termsOfUseUrl: `${origin}/` },
    },
    name: { short: name, full: shorten(`${name} – ${companyName}`, 100) },
    description: { short, full: about },
    icons: { color: 'color.png', outline: 'outline.png' },
    accentColor: '#1D4ED8',
    validDomains: [new URL(origin).host],
    authorization: { permissions: { resourceSpecific: [{ name: 'MailboxItem.Read.User', type: 'Delegated' }] } },
    extensions: [
      {
        requirements: mailbox('1.8'),
        runtimes: [
          {
            requirements: mailbox('1.8'),
            ...{ id: 'pane', type: 'general', lifetime: 'short', code: { page: `${base}/pane` } },
            actions: [{ id: 'openPane', type: 'openPage', view: 'pane' }],
          },
          {
            requirements: mailbox('1.14'),
            ...{ id: 'events', type: 'general', lifetime: 'short' },
            code: { page: `${base}/events`, script: `${base}/events.js` },
            actions: [{ id: 'onMessageReport', type: 'executeFunction' }],
          },
        ],
        ribbons: [
          {
            requirements: mailbox('1.8'),
            contexts: ['mailRead'],
            tabs: [
              {
                builtInTabId: 'TabDefault',
                groups: [
                  {
                    ...{ id: 'reportGroup', label: name, icons },
                    controls: [{ id: 'reportPane', type: 'button', ...appearance, actionId: 'openPane' }],
                  },
                ],
              },
            ],
          },
          {
            requirements: mailbox('1.14'),
            contexts: ['spamReportingOverride'],
            tabs: [],
            fixedControls: [
              { id: 'reportSpam', type: 'button', ...appearance, enabled: true, actionId: 'onMessageReport' },
            ],
            spamPreProcessingDialog: { title: name, description: dialog },
          },
        ],
      },
    ],
  };
}

/** Builds the file that maps paths in the manifest to the texts of a language. */
export function buildLocalization(language: Exclude<Language, 'en'>): Record<string, string> {
  const messages: ManifestMessages = manifestMessages[language];
  const { name, short, about, dialog } = messages;
  const [ribbon, spam] = ['extensions[0].ribbons[0].tabs[0].groups[0]', 'extensions[0].ribbons[1]'];
  const control = (path: string) => ({
    [`${path}.label`]: name,
    [`${path}.supertip.title`]: name,
    [`${path}.supertip.description`]: about,
  });
  return {
    $schema: schemaUrl('Localization.'),
    ...{ 'name.short': name, 'name.full': name, 'description.short': short, 'description.full': about },
    [`${ribbon}.label`]: name,
    ...control(`${ribbon}.controls[0]`),
    ...control(`${spam}.fixedControls[0]`),
    [`${spam}.spamPreProcessingDialog.title`]: name,
    [`${spam}.spamPreProcessingDialog.description`]: dialog,
  };
}
