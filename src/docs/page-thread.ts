// A thread that renders one page of the documentation: see `site.ts`.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import type { ContractDocument } from './document.ts';
import { siteFiles, type SiteOptions } from './site.ts';

type PageTask = Omit<SiteOptions, 'document'> & { path: string };

const { path, ...options } = workerData as PageTask;
const document = JSON.parse(
  readFileSync(new URL('../../generated/openapi.json', import.meta.url), 'utf8'),
) as ContractDocument;
parentPort!.postMessage(siteFiles({ ...options, document }).get(path)!());
