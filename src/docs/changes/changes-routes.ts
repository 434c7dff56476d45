import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { type Request, Router } from 'express';
import { invalidField } from '../../contract/errors.ts';
import { type ContractName, type ContractVersion, ContractVersions } from '../../released/contract-versions.ts';
import { compressOnce, compressStatic, type Encoding } from '../../http/response/compression.ts';
import {
  describeStatic,
  type StaticResponse,
  staticResponse,
  sendStatic,
} from '../../http/response/static-response.ts';
import { refuseMethod } from '../../http/guards.ts';
import { oncePerKey } from '../../http/once.ts';
import { runInThread } from '../../limits/run-in-thread.ts';
import { CHANGES, CHANGES_FEED } from '../pages.ts';
import { html, markdown, type SiteFile } from '../site.ts';
import { comparisonPath, type Contracts } from './changes-page.ts';
import type { ComparisonTask } from './comparison-thread.ts';
import type { FeedTask } from './feed-thread.ts';

const COMPARISON_THREAD = new URL('./comparison-thread.ts', import.meta.url);
const FEED_THREAD = new URL('./feed-thread.ts', import.meta.url);

interface Options {
  config: { publicUrl: string };
  contract: { versions: ContractVersions };
}

interface Pair {
  contract: ContractName;
  from: ContractVersion;
  to: ContractVersion;
}

/**
 * Creates the routes for comparisons of two versions of a contract, and for the feed of releases.
 *
 * A comparison takes about a second, so a thread compares two versions on the first request and renders the page. Each
 * process compares a pair only once and caches the compressed response: about 10 KB per pair, and there are few
 * versions.
 */
export function changesRoutes({ config: { publicUrl }, contract: { versions: rest } }: Options): Router {
  const contracts = { rest, scim: new ContractVersions('scim') };
  const router = Router({ caseSensitive: true, strict: true });
  const pages = oncePerKey<ComparisonPage>();
  const feed = oncePerKey<StaticResponse>();

  router.get(CHANGES.path, (req, res, next) => {
    if (req.query.from === undefined && req.query.to === undefined) return next();
    const { contract, from, to } = readVersionPair(contracts, req);
    res.redirect(303, comparisonPath(contract, from.version, to.version));
  });
  router.get(CHANGES_FEED.path, async (req, res) => {
    const task: FeedTask = { publicUrl };
    const answer = await feed('', async () => feedResponse(await runInThread<string>(FEED_THREAD, task)));
    await sendStatic(req, res, answer);
  });
  router.get(`${CHANGES.path}/:contract/:versions`, async (req, res, next) => {
    const { contract, versions } = req.params;
    const isMarkdown = versions.endsWith('.md');
    const pair = pairNamed(contracts, contract, isMarkdown ? versions.slice(0, -'.md'.length) : versions);
    if (!pair) return next('router');
    const path = comparisonPath(pair.contract, pair.from.version, pair.to.version);
    const page = await pages(path, async () => packed(path, await compared(pair)));
    await sendStatic(req, res, isMarkdown ? page.markdown : page.html);
  });
  router.all([CHANGES_FEED.path, `${CHANGES.path}/:contract/:versions`], refuseMethod('GET', 'HEAD'));
  return router;
}

/** Reads the pair from the query. @throws {ApiError} `invalid_request` naming the parameter */
function readVersionPair(contracts: Contracts, { query }: Request): Pair {
  const { contract = 'rest', from, to } = query;
  if (typeof contract !== 'string' || !isContract(contracts, contract))
    throw invalidField('query/contract', `must be one of ${Object.keys(contracts).join(', ')}`);
  const versions = contracts[contract];
  return {
    contract,
    from: versions.find(from, 'from'),
    to: to === undefined ? versions.running : versions.find(to, 'to'),
  };
}

/** Finds the pair of a path such as `rest/1.2.0...1.3.0`; undefined if the contract or a version is unknown. */
function pairNamed(contracts: Contracts, contract: string, versions: string): Pair | undefined {
  if (!isContract(contracts, contract)) return undefined;
  const [from, to, ...more] = versions.split('...').map((version) => contracts[contract].get(version));
  return from && to && more.length === 0 ? { contract, from, to } : undefined;
}

function isContract(contracts: Contracts, name: string): name is ContractName {
  return Object.hasOwn(contracts, name);
}

async function compared({ contract, from, to }: Pair): Promise<{ html: string; markdown: string }> {
  const named = ({ version, document }: ContractVersion) => ({ version, document: document.href });
  const task: ComparisonTask = { contract, from: named(from), to: named(to) };
  return runInThread(COMPARISON_THREAD, task);
}

type ComparisonPage = Record<'html' | 'markdown', StaticResponse>;

async function packed(path: string, page: { html: string; markdown: string }): Promise<ComparisonPage> {
  return { html: await pack(html(page.html, path)), markdown: await pack(markdown(page.markdown)) };
}

/** Creates a response that stores only compressed bytes. They are decompressed for clients that do not accept them. */
async function pack({ body, headers }: SiteFile): Promise<StaticResponse> {
  const bytes = Buffer.from(body);
  const stored = await compressStatic(bytes, 'br');
  const read = async (encoding: Encoding | undefined) => {
    if (encoding === 'br') return stored;
    const plain = await promisify(brotliDecompress)(stored);
    return encoding ? compressOnce(plain, encoding) : plain;
  };
  return { ...describeStatic(bytes, headers), read };
}

function feedResponse(xml: string): StaticResponse {
  return staticResponse(xml, { 'Content-Type': 'application/atom+xml; charset=utf-8' });
}
