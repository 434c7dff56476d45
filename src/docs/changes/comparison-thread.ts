// A thread that compares two versions of a contract: see `changes-routes.ts`.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { compare, type JsonObject } from '../../../contract-gate/src/index.ts';
import { accessRules } from '../../released/access-rules.ts';
import type { ContractName } from '../../released/contract-versions.ts';
import { type ContractDocument, listOperations } from '../document.ts';
import { textPage } from '../layout.ts';
import { buildFrame } from '../site.ts';
import { generatedPage } from '../text-page.ts';
import { comparisonPath, CONTRACT_TITLES } from './changes-page.ts';
import { comparisonPage } from './comparison-page.ts';

export interface ComparisonTask {
  contract: ContractName;
  from: NamedDocument;
  to: NamedDocument;
}

export interface NamedDocument {
  version: string;
  /** The URL of its file. */
  document: string;
}

const { contract, from, to } = workerData as ComparisonTask;
const served = read(new URL('../../../generated/openapi.json', import.meta.url).href) as unknown as ContractDocument;
const comparison = compare(read(from.document), read(to.document), { rules: [accessRules] });
const ids = contract === 'rest' ? listOperations(served).map(({ operation }) => operation.operationId) : [];
const text = comparisonPage({
  comparison,
  contract: CONTRACT_TITLES[contract],
  from: from.version,
  to: to.version,
  operationPages: new Set(ids),
});
const page = generatedPage(comparisonPath(contract, from.version, to.version), text);
const html = textPage({ ...page, ...buildFrame(served), content: page.html });
parentPort!.postMessage({ html, markdown: page.markdown });

function read(file: string): JsonObject {
  return JSON.parse(readFileSync(new URL(file), 'utf8')) as JsonObject;
}
