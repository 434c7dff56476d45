import { readFile } from 'node:fs/promises';
import { type StaticResponse, staticResponse } from '../http/response/static-response.ts';
import { oncePerKey } from '../http/once.ts';
import type { ContractVersion } from './contract-versions.ts';

const TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/**
 * Returns a function that serves each version of a contract as JSON: the running one without white space, a released
 * one byte for byte as it was released.
 * @param running the document of the running version
 */
export function jsonResponses(running: object): (version: ContractVersion) => Promise<StaticResponse> {
  const answers = oncePerKey<StaticResponse>();
  return ({ version, isRunning, document }) =>
    answers(version, async () => staticResponse(isRunning ? JSON.stringify(running) : await readFile(document), TYPE));
}
