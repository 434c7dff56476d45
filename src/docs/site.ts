import { type Asset, loadAsset } from '../http/html/assets.ts';
import { runInThread } from '../limits/run-in-thread.ts';
import { type ContractDocument, listOperations } from './document.ts';
import { errorIndex, errorPage, errorPath, listErrorCodes } from './error-pages.ts';
import { eventPage } from './event-page.ts';
import { type LayoutOptions, referencePage, textPage } from './layout.ts';
import { llmsFull, llmsIndex } from './llms.ts';
import { operationForms, responseHeaders } from './operation-forms.ts';
import { operationIndex, operationPage } from './operation-pages.ts';
import { ContractVersions } from '../released/contract-versions.ts';
import { changesPage } from './changes/changes-page.ts';
import {
  BACKGROUND,
  CHANGELOG,
  CHANGES,
  ERROR_CODES,
  EVENT_TYPES,
  GUIDES,
  OPERATIONS,
  REFERENCE,
  SCHEMAS,
  SEARCH_INDEX,
} from './pages.ts';
import { listPageSchemas, schemaIndex, schemaPage } from './schema-pages.ts';
import { buildSearchEntries } from './search/search-entries.ts';
import { generatedPage, type TextPage, writtenPage } from './text-page.ts';

export interface SiteOptions {
  document: ContractDocument;
  /** The public URL of the service, for the examples. */
  publicUrl: string;
  /** The demo's API key, which is shown to everybody; undefined if people must use their own keys. */
  demoKey: string | undefined;
}

/** The content of a URL of the documentation. */
export interface SiteFile {
  body: string | Buffer;
  headers: Readonly<Record<string, string>>;
}

/**
 * Every path of the documentation, with the function that renders it. Each function always returns the same content.
 */
export type SiteFiles<File = SiteFile | Promise<SiteFile>> = ReadonlyMap<string, () => File>;

export interface Site {
  files: SiteFiles;
  /** The frame of pages that depend on the request. */
  frame: Frame;
}

/**
 * Content-Security-Policy of every page: allows our scripts, requests to this server, and forms that are sent to it.
 */
const POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; script-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

const PAGE_THREAD = new URL('page-thread.ts', import.meta.url);
const INDEX_FOR_AI = '/llms.txt';
const FULL_TEXT_PATH = '/docs/llms-full.txt';
/** Pages that take 65 ms to 0.2 s to render. No request must block the event loop for more than 50 ms. */
const LONG_PAGES = [SEARCH_INDEX, INDEX_FOR_AI, FULL_TEXT_PATH, REFERENCE.path, CHANGELOG.path, `${CHANGELOG.path}.md`];

/**
 * Creates the documentation. Pages are rendered on request, because most processes serve none. A thread renders long
 * pages.
 */
export function createSite(options: SiteOptions): Site {
  const { publicUrl, demoKey } = options;
  const render = (path: string) => () => runInThread<SiteFile>(PAGE_THREAD, { path, publicUrl, demoKey });
  const files = new Map<string, () => SiteFile | Promise<SiteFile>>(siteFiles(options));
  for (const path of LONG_PAGES) files.set(path, render(path));
  return { files, frame: buildFrame(options.document) };
}

/** Creates the documentation, with every file rendered by the current thread. */
export function siteFiles(options: SiteOptions): SiteFiles<SiteFile> {
  const { document, demoKey } = options;
  const assets = loadAssets();
  const written = [...GUIDES, ...BACKGROUND].map(({ path, file }) => ({
    path,
    render: () => writtenPage(path, file, options),
  }));
  const index = { path: OPERATIONS.path, render: () => generatedPage(OPERATIONS.path, operationIndex(document)) };
  const events = { path: EVENT_TYPES.path, render: () => generatedPage(EVENT_TYPES.path, eventPage(document)) };
  const rest = new ContractVersions('rest', { running: () => document.info.version });
  const changes = { path: CHANGES.path, render: () => changesPage({ rest, scim: new ContractVersions('scim') }) };
  const operations = listOperations(document).map((entry) => {
    const path = `${OPERATIONS.path}/${entry.operation.operationId}`;
    return { path, render: () => generatedPage(path, operationPage(document, entry)) };
  });
  const common = buildFrame(document, assets);
  const schemas = { path: SCHEMAS.path, render: () => generatedPage(SCHEMAS.path, schemaIndex(document)) };
  const singleSchemas = listPageSchemas(document).map((one) => {
    const path = `${SCHEMAS.path}/${one.name}`;
    return { path, render: () => generatedPage(path, schemaPage(document, one)) };
  });
  const errors = { path: ERROR_CODES.path, render: () => generatedPage(ERROR_CODES.path, errorIndex()) };
  const singleErrors = listErrorCodes().map((code) => {
    const path = errorPath(code);
    return { path, render: () => generatedPage(path, errorPage(document, code)) };
  });
  const files = new Map<string, () => SiteFile>();
  for (const page of [...written, index, errors, events, schemas, ...operations, ...singleErrors, ...singleSchemas])
    addPage(files, page, common);
  addPage(files, changes, common);
  files.set(REFERENCE.path, () => html(reference(document, common, assets, demoKey), REFERENCE.path));
  files.set(`${REFERENCE.path}.md`, () => markdown(index.render().markdown));
  const { title: name, summary } = document.info;
  const guides = () => {
    return {
      written: written.map(({ render }) => render()),
      generated: [index.render(), errors.render(), events.render(), schemas.render(), changes.render()],
    };
  };
  files.set(INDEX_FOR_AI, () => text(llmsIndex({ name, summary, ...guides() })));
  files.set(FULL_TEXT_PATH, () => {
    return text(
      llmsFull(
        [...written, index, errors, ...singleErrors, events, schemas, changes, ...operations].map(({ render }) =>
          render(),
        ),
      ),
    );
  });
  files.set(SEARCH_INDEX, () => {
    const pages = written.map(({ render }) => render());
    return json(buildSearchEntries(document, pages));
  });
  for (const asset of Object.values(assets)) files.set(asset.path, () => asset);
  return files;
}

/** Adds a page and its Markdown version. */
function addPage(
  files: Map<string, () => SiteFile>,
  { path, render }: { path: string; render: () => TextPage },
  common: Frame,
): void {
  files.set(path, () => {
    const page = render();
    return html(textPage({ ...page, ...common, content: page.html }), path);
  });
  files.set(`${path}.md`, () => markdown(render().markdown));
}

/** The parts of a page around its content. */
export type Frame = Pick<LayoutOptions, 'assets' | 'service'>;

export function buildFrame({ info }: Pick<ContractDocument, 'info'>, assets: Assets = loadAssets()): Frame {
  const { style, icon, script, rank } = assets;
  return {
    assets: { style: style.path, icon: icon.path, script: script.path, rank: rank.path },
    service: { name: info.title, version: info.version },
  };
}

type Assets = ReturnType<typeof loadAssets>;

function loadAssets() {
  const own = (name: string) => loadAsset(new URL(`assets/${name}`, import.meta.url), '/docs/assets');
  return {
    style: own('docs.css'),
    script: own('docs.js'),
    rank: own('rank.js'),
    icon: loadAsset(new URL('../http/html/assets/icon.svg', import.meta.url), '/docs/assets'),
    referenceStyle: own('reference.css'),
    referenceScript: own('reference.js'),
  } satisfies Record<string, Asset>;
}

function reference(document: ContractDocument, common: Frame, assets: Assets, demoKey: string | undefined): string {
  const { referenceStyle, referenceScript } = assets;
  return referencePage({
    ...common,
    path: REFERENCE.path,
    title: REFERENCE.name,
    description: 'Every operation of the contract, with a form to call it.',
    assets: {
      ...common.assets,
      referenceStyle: referenceStyle.path,
      referenceScript: referenceScript.path,
    },
    operations: operationForms(document, { isDemo: demoKey !== undefined }),
    responseHeaders: responseHeaders(document),
    demoKey,
  });
}

/** @param path the page that has a version in Markdown; undefined if the page has none */
export function html(body: string, path?: string): SiteFile {
  return {
    body,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': POLICY,
      ...(path !== undefined && { Link: `<${path}.md>; rel="alternate"; type="text/markdown"` }),
    },
  };
}

export function markdown(body: string): SiteFile {
  return { body, headers: { 'Content-Type': 'text/markdown; charset=utf-8' } };
}

function text(body: string): SiteFile {
  return { body, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}

function json(value: unknown): SiteFile {
  return { body: JSON.stringify(value), headers: { 'Content-Type': 'application/json; charset=utf-8' } };
}
