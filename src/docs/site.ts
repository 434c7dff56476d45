import { type Asset, loadAsset } from '../http/html/assets.ts';
import { runInThread } from '../limits/run-in-thread.ts';
import { type ContractDocument, listOperations } from './document.ts';
import { eventPage } from './event-page.ts';
import { type LayoutOptions, referencePage, textPage } from './layout.ts';
import { llmsFull, llmsIndex } from './llms.ts';
import { operationForms, responseHeaders } from './operation-forms.ts';
import { operationIndex, operationPage } from './operation-pages.ts';
import { ContractVersions } from '../released/contract-versions.ts';
import { changesPage } from './changes/changes-page.ts';
import { BACKGROUND, CHANGELOG, CHANGES, EVENT_TYPES, GUIDES, OPERATIONS, REFERENCE } from './pages.ts';
import { generatedPage, type TextPage, writtenPage } from './text-page.ts';

export interface SiteOptions {
  document: ContractDocument;
  /** The public address of the service, for the examples. */
  publicUrl: string;
  /** The key that the demo shows to everybody; undefined if people must use their own. */
  demoKey: string | undefined;
}

/** The content of an address of the documentation. */
export interface SiteFile {
  body: string | Buffer;
  headers: Readonly<Record<string, string>>;
}

/**
 * Every path of the documentation, with the function that renders it. A function returns the same content each time.
 */
export type Site<File = SiteFile | Promise<SiteFile>> = ReadonlyMap<string, () => File>;

const STRICT =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The policy of the list of versions, which has a form that compares two. */
const WITH_FORM = STRICT.replace("form-action 'none'", "form-action 'self'");
/** The policy of the reference, which runs one script that calls this server. */
const WITH_REFERENCE = `${STRICT}; script-src 'self'; connect-src 'self'`;

const PAGE_THREAD = new URL('page-thread.ts', import.meta.url);
const INDEX_FOR_AI = '/llms.txt';
const FULL_TEXT_PATH = '/docs/llms-full.txt';
/** Pages that take 65 ms to 0.2 s to render. No request must block the event loop for more than 50 ms. */
const LONG_PAGES = [INDEX_FOR_AI, FULL_TEXT_PATH, REFERENCE.path, CHANGELOG.path, `${CHANGELOG.path}.md`];

/**
 * Creates the documentation. Pages are rendered on request, because most processes serve none. Long ones are rendered
 * in a thread.
 */
export function createSite(options: SiteOptions): Site {
  const { publicUrl, demoKey } = options;
  const render = (path: string) => () => runInThread<SiteFile>(PAGE_THREAD, { path, publicUrl, demoKey });
  const files = new Map<string, () => SiteFile | Promise<SiteFile>>(siteFiles(options));
  for (const path of LONG_PAGES) files.set(path, render(path));
  return files;
}

/** Creates the documentation, with every file rendered by the current thread. */
export function siteFiles(options: SiteOptions): Site<SiteFile> {
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
  const files = new Map<string, () => SiteFile>();
  for (const page of [...written, index, events, ...operations]) addPage(files, page, common);
  addPage(files, changes, common, WITH_FORM);
  files.set(REFERENCE.path, () => html(reference(document, common, assets, demoKey), REFERENCE.path, WITH_REFERENCE));
  files.set(`${REFERENCE.path}.md`, () => markdown(index.render().markdown));
  const { title: name, summary } = document.info;
  const guides = () => {
    return {
      written: written.map(({ render }) => render()),
      generated: [index.render(), events.render(), changes.render()],
    };
  };
  files.set(INDEX_FOR_AI, () => text(llmsIndex({ name, summary, ...guides() })));
  files.set(FULL_TEXT_PATH, () => {
    return text(llmsFull([...written, index, events, changes, ...operations].map(({ render }) => render())));
  });
  for (const asset of Object.values(assets)) files.set(asset.path, () => asset);
  return files;
}

/** Adds a page and its Markdown version. */
function addPage(
  files: Map<string, () => SiteFile>,
  { path, render }: { path: string; render: () => TextPage },
  common: Frame,
  policy = STRICT,
): void {
  files.set(path, () => {
    const page = render();
    return html(textPage({ ...page, ...common, content: page.html }), path, policy);
  });
  files.set(`${path}.md`, () => markdown(render().markdown));
}

/** The parts of a page around its content. */
export type Frame = Pick<LayoutOptions, 'assets' | 'service'>;

export function buildFrame({ info }: Pick<ContractDocument, 'info'>, { style, icon }: Assets = loadAssets()): Frame {
  return { assets: { style: style.path, icon: icon.path }, service: { name: info.title, version: info.version } };
}

type Assets = ReturnType<typeof loadAssets>;

function loadAssets() {
  const own = (name: string) => loadAsset(new URL(`assets/${name}`, import.meta.url), '/docs/assets');
  return {
    style: own('docs.css'),
    icon: loadAsset(new URL('../http/html/assets/icon.svg', import.meta.url), '/docs/assets'),
    referenceStyle: own('reference.css'),
    referenceScript: own('reference.js'),
  } satisfies Record<string, Asset>;
}

function reference(document: ContractDocument, common: Frame, assets: Assets, demoKey: string | undefined): string {
  const { style, icon, referenceStyle, referenceScript } = assets;
  return referencePage({
    ...common,
    path: REFERENCE.path,
    title: REFERENCE.name,
    description: 'Every operation of the contract, with a form to call it.',
    assets: {
      style: style.path,
      icon: icon.path,
      referenceStyle: referenceStyle.path,
      referenceScript: referenceScript.path,
    },
    operations: operationForms(document, { isDemo: demoKey !== undefined }),
    responseHeaders: responseHeaders(document),
    demoKey,
  });
}

export function html(body: string, path: string, policy = STRICT): SiteFile {
  return {
    body,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
      Link: `<${path}.md>; rel="alternate"; type="text/markdown"`,
    },
  };
}

export function markdown(body: string): SiteFile {
  return { body, headers: { 'Content-Type': 'text/markdown; charset=utf-8' } };
}

function text(body: string): SiteFile {
  return { body, headers: { 'Content-Type': 'text/plain; charset=utf-8' } };
}
