import { type ContractVersion, ContractVersions } from '../released/contract-versions.ts';
import { jsonResponses } from '../released/json-responses.ts';
import { type StaticResponse, staticResponse } from '../http/response/static-response.ts';
import { oncePerKey } from '../http/once.ts';
import { runInThread } from '../limits/run-in-thread.ts';

/** The contract in each format in which it is sent. */
export interface PublishedContract {
  versions: ContractVersions;
  json: (version: ContractVersion) => Promise<StaticResponse>;
  yaml: (version: ContractVersion) => Promise<StaticResponse>;
}

/** @param document the contract of the running version */
export function publishContract(document: { info: { version: string } }): PublishedContract {
  const versions = new ContractVersions('rest', { running: () => document.info.version });
  return { versions, json: jsonResponses(document), yaml: yamlResponses() };
}

const YAML_THREAD = new URL('./yaml-thread.ts', import.meta.url);
const YAML_TYPE = { 'Content-Type': 'application/yaml; charset=utf-8' };

/** Writes YAML in a thread, because it takes 120 ms, and 420 ms the first time (two cores, November 2026). */
function yamlResponses(): (version: ContractVersion) => Promise<StaticResponse> {
  const answers = oncePerKey<StaticResponse>();
  return ({ version, document }) =>
    answers(version, async () => staticResponse(await runInThread<string>(YAML_THREAD, document.href), YAML_TYPE));
}
