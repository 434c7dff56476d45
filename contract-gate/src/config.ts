import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Rule } from './compare.ts';

/** What `contract-gate.config.ts` (or `.mjs`, `.js`) in the root of a project exports by default. */
export interface GateConfig {
  /** For extensions (`x-…`) that the gate does not know. */
  rules?: Rule[];
}

const NAMES = ['ts', 'mjs', 'js'].map((extension) => `contract-gate.config.${extension}`);

/** The settings of the project in a folder; none where it has no such file. */
export async function readConfig(root: string): Promise<GateConfig> {
  const path = NAMES.map((name) => join(root, name)).find((one) => existsSync(one));
  if (path === undefined) return {};
  const { default: config } = (await import(pathToFileURL(path).href)) as { default: GateConfig };
  return config;
}
