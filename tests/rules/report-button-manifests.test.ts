import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Ajv, { type ValidateFunction } from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { unzipSync } from 'fflate';
import { convert } from 'office-addin-manifest-converter';
import type { AddIn } from '../../src/pages/report-button/add-in.ts';
import { shorten, toAddIn } from '../../src/pages/report-button/add-in.ts';
import { buildAppPackage } from '../../src/pages/report-button/app-package.ts';
import { manifestMessages } from '../../src/pages/report-button/manifest-messages.ts';
import { renderXmlManifest } from '../../src/pages/report-button/xml-manifest.ts';

// Microsoft's validator (`office-addin-manifest validate`) sends an XML manifest to a Microsoft service, and reads the
// schema of a unified manifest from the internet. These tests use the schema from the validator's package, and have
// Microsoft's converter read the XML manifest. No package contains the XML schema.

const TOKEN = 'a'.repeat(64);
const NAMES = ['Acme', `A & B <"C"> 'D' ]]>`, 'Ä'.repeat(200), '\u202eabc\u0000\u0007', '👩‍👩‍👧'.repeat(60), '\u200b'];

const addInOf = (companyName: string): AddIn =>
  toAddIn(
    { companyId: '018d7855-b7a0-7000-8100-000000000002', companyName, version: 3 } as Parameters<typeof toAddIn>[0],
    'https://awareness.example',
    TOKEN,
  );

const packageFolder = dirname(createRequire(import.meta.url).resolve('@microsoft/app-manifest'));

async function compile(version: string, name: string): Promise<ValidateFunction> {
  const file = join(packageFolder, 'json-schemas', 'teams', `v${version}`, `MicrosoftTeams.${name}schema.json`);
  // Workaround that Microsoft's validator uses as well: the pattern is invalid as a Unicode pattern.
  const text = (await readFile(file, 'utf8')).replaceAll('/^https:', '^https:');
  const ajv = new Ajv.default({ allErrors: true, strict: false, unicodeRegExp: false });
  (addFormats as unknown as (ajv: object) => void)(ajv);
  return ajv.compile(JSON.parse(text) as object);
}

const filesOf = (zip: Buffer) => {
  const files = unzipSync(zip);
  const json = (name: string) => JSON.parse(Buffer.from(files[name]!).toString()) as Record<string, any>;
  return { names: Object.keys(files).toSorted(), json };
};

test.each(NAMES)('the app package of %j follows the schemas of Microsoft', async (name) => {
  const { names, json } = filesOf(buildAppPackage(addInOf(name)));
  expect(names).toEqual(['color.png', 'de.json', 'fr.json', 'manifest.json', 'outline.png']);
  const manifest = json('manifest.json');
  expect(manifest.$schema).toContain(`/v${manifest.manifestVersion}/`);
  const validate = await compile(manifest.manifestVersion as string, '');
  expect({ isValid: validate(manifest), errors: validate.errors }).toEqual({ isValid: true, errors: null });
  const validateTexts = await compile(manifest.manifestVersion as string, 'Localization.');
  for (const language of ['de.json', 'fr.json']) {
    expect({ isValid: validateTexts(json(language)), errors: validateTexts.errors }).toEqual({
      isValid: true,
      errors: null,
    });
  }
});

test('each localized text of the app package replaces one of the manifest', () => {
  const { json } = filesOf(buildAppPackage(addInOf('Acme')));
  const manifest = json('manifest.json');
  for (const path of Object.keys(json('de.json')).filter((key) => key !== '$schema')) {
    const steps = path.split(/[.[\]]+/).filter((step) => step !== '');
    expect([path, typeof steps.reduce((value: any, step) => value?.[step], manifest)]).toEqual([path, 'string']);
  }
});

async function readByConverter(xml: string): Promise<Record<string, any>> {
  const folder = await mkdtemp(join(tmpdir(), 'manifest-'));
  try {
    await writeFile(join(folder, 'manifest.xml'), xml);
    await convert(join(folder, 'manifest.xml'), join(folder, 'out'));
    return JSON.parse(await readFile(join(folder, 'out', 'manifest.json'), 'utf8')) as Record<string, any>;
  } finally {
    await rm(folder, { recursive: true });
  }
}

test.each(NAMES)('Microsoft’s converter reads the XML manifest of %j', async (name) => {
  const addIn = addInOf(name);
  const manifest = await readByConverter(renderXmlManifest(addIn));
  expect(manifest).toMatchObject({ id: addIn.id, name: { short: manifestMessages.en.name } });
  const [extension] = manifest.extensions as [Record<string, any>];
  const contexts = extension.ribbons.flatMap((ribbon: { contexts: string[] }) => ribbon.contexts);
  expect(new Set(contexts)).toEqual(new Set(['mailRead', 'spamReportingOverride']));
  const code = extension.runtimes.map((runtime: { code: object }) => runtime.code);
  expect(code).toContainEqual({ page: `${addIn.base}/events`, script: `${addIn.base}/events.js` });
  const pages = code.map(({ page }: { page: string }) => page);
  expect(pages).toContain(`${addIn.base}/pane?language=en`);
  const spam = extension.ribbons.find(({ contexts: [first] }: { contexts: string[] }) => first !== 'mailRead');
  expect(spam.spamPreProcessingDialog).toMatchObject({ description: manifestMessages.en.dialog });
});

test('the XML manifest is well formed, and each reference to a resource has one in its overrides', () => {
  const xml = renderXmlManifest(addInOf('Acme'));
  const [outer, inner] = xml.split(
    '<VersionOverrides xmlns="http://schemas.microsoft.com/office/mailappversionoverrides/1.1"',
  );
  for (const part of [outer!, inner!]) {
    const ids = new Set([...part.matchAll(/<bt:(?:Image|Url|String) id="([^"]+)"/g)].map((match) => match[1]));
    const references = new Set([...part.matchAll(/resid="([^"]+)"/g)].map((match) => match[1]));
    expect(ids).toEqual(references);
  }
});

test('the texts keep within the limits of the manifests', () => {
  for (const { name, short, about, dialog } of Object.values(manifestMessages)) {
    expect(name.length).toBeLessThanOrEqual(30);
    expect(short.length).toBeLessThanOrEqual(80);
    for (const text of [about, dialog]) expect(text.length).toBeLessThanOrEqual(250);
  }
});

test.each([
  ['Acme', 10, 'Acme'],
  ['Acme Industries', 5, 'Acme'],
  ['ab👩‍👩‍👧', 4, 'ab'],
])('%j shortened to %i characters is %j', (text, max, expected) => expect(shorten(text, max)).toBe(expected));
