import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Rule } from './compare.ts';
import type { JsonObject } from './document.ts';
import { Misuse } from './misuse.ts';

/** Something that a project publishes and that its users rely on. */
export interface Surface {
  /** As reports, `release.json` and accepted breaks name it, such as `rest`. */
  name: string;
  /** The file that is published, from the root of the project. */
  file: string;
  /**
   * `openapi`: an OpenAPI document. `tools`: MCP tools, `{ "tools": { <name>: { "inputSchema": … } } }`. `names`: what a package
   * exports, `{ "names": { <name>: <kind> } }`. By default `openapi`.
   */
  kind?: 'openapi' | 'tools' | 'names';
  /** How the changelog names its version: “Contract” for “Contract 1.2.0”. Without it, the changelog is not read for it. */
  changelogName?: string;
  /** The surface whose version reflects changes of this one, which has no version of its own. */
  versionOf?: string;
  /** Makes what the last release published from its other surfaces, where that release did not hold this one. */
  derive?: (released: ReadonlyMap<string, JsonObject>) => JsonObject | undefined;
}

/** The default export of `contract-gate.config.ts` (or `.mjs`, `.js`) in the root of a project. Paths are relative to the root. */
export interface GateConfig {
  surfaces: Surface[];
  /** The folder of releases: `api/released`. */
  released?: string;
  /** `CHANGELOG.md` */
  changelog?: string;
  /** `api/accepted-breaks.yaml` */
  acceptedBreaks?: string;
  /** For extensions (`x-…`) that the gate does not know. */
  rules?: Rule[];
  /** Whether names that only generated SDKs have (operationId, tag, schema, path parameter) must stay: true. */
  sdkPolicy?: boolean;
}

export type Settings = Required<GateConfig>;

const NAMES = ['ts', 'mjs', 'js'].map((extension) => `contract-gate.config.${extension}`);

/** The settings of the project in a folder; null where it has no such file. */
export async function readSettings(root: string): Promise<Settings | null> {
  const path = NAMES.map((name) => join(root, name)).find((one) => existsSync(one));
  if (path === undefined) return null;
  const { default: config } = await load(path);
  return {
    released: 'api/released',
    changelog: 'CHANGELOG.md',
    acceptedBreaks: 'api/accepted-breaks.yaml',
    rules: [],
    sdkPolicy: true,
    ...config,
  };
}

async function load(path: string): Promise<{ default: GateConfig }> {
  try {
    return (await import(pathToFileURL(path).href)) as { default: GateConfig };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code !== 'ERR_UNKNOWN_FILE_EXTENSION') throw new Misuse(`${path} cannot be read: ${message}`);
    throw new Misuse(`${path} is TypeScript, which Node ${process.version} does not run: use Node 22.18 or newer`);
  }
}
