import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Rule } from './compare.ts';
import type { JsonObject } from './document.ts';
import { Misuse } from './misuse.ts';

/** A surface that a project publishes and that its users rely on. */
export interface Surface {
  /** The name in reports, `release.json` and accepted breaks, such as `rest`. */
  name: string;
  /** The path of the published file, from the root of the project. */
  file: string;
  /**
   * The format. `openapi`: an OpenAPI document. `tools`: MCP tools, `{ "tools": { <name>: { "inputSchema": … } } }`.
   * `names`: the exports of a package, `{ "names": { <name>: <kind> } }`. Default `openapi`.
   */
  kind?: 'openapi' | 'tools' | 'names';
  /**
   * The name before the version in the changelog: "Contract" for "Contract 1.2.0". If omitted, the changelog is not
   * checked.
   */
  changelogName?: string;
  /**
   * The name of the surface whose version also reflects changes of this surface; omitted for a surface with its own
   * version.
   */
  versionOf?: string;
  /** Derives this surface from the other surfaces of the last release, if that release does not contain it. */
  derive?: (released: ReadonlyMap<string, JsonObject>) => JsonObject | undefined;
}

/**
 * The default export of `contract-gate.config.ts` (or `.mjs`, `.js`) in the project's root. Paths are relative to the
 * root.
 */
export interface GateConfig {
  surfaces: Surface[];
  /** The folder of releases. Default `api/released`. */
  released?: string;
  /** The changelog. Default `CHANGELOG.md`. */
  changelog?: string;
  /** The file of accepted breaks. Default `api/accepted-breaks.yaml`. */
  acceptedBreaks?: string;
  /** Rules for extensions (`x-…`) that the gate does not know. */
  rules?: Rule[];
  /**
   * Whether a changed name that only generated SDKs have (operationId, tag, schema, path parameter) is a break. Default
   * true.
   */
  sdkPolicy?: boolean;
}

export type Settings = Required<GateConfig>;

const NAMES = ['ts', 'mjs', 'js'].map((extension) => `contract-gate.config.${extension}`);

/** Reads the settings of the project in a folder; returns null if the folder has no configuration file. */
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
    throw new Misuse(`${path} is TypeScript, which Node ${process.version} does not run; use Node 22.18 or newer`);
  }
}
