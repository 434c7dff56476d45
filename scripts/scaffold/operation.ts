import { existsSync, globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { operations } from '../../generated/operations.ts';
import { CommandError, UsageError } from '../../src/commands/command.ts';

const USAGE = 'Usage: make scaffold ARGS="archiveGroup POST /groups/{groupId}/archive"';
const root = join(import.meta.dirname, '../..');

export interface NewOperation {
  operationId: string;
  method: string;
  path: string;
  /** First segment of the path, which names the file of the resource in api/. */
  resource: string;
  /** The folder in src/resources/ and tests/resources/, such as `policies/templates` for `/policy-templates`. */
  folder: string;
  /** First word of the names of the files in that folder. */
  singular: string;
  pathIds: string[];
}

/**
 * Reads the new operation from the arguments of the command.
 * @throws {UsageError} if the name, or the method and path, are invalid or already in use
 * @throws {CommandError} if the resource of the path does not exist
 */
export function readOperation(args: string[]): NewOperation {
  if (args.length !== 3) throw new UsageError(USAGE);
  const [operationId, verb, path] = args as [string, string, string];
  if (!/^[a-z]+([A-Z][a-z0-9]*)+$/.test(operationId))
    throw new UsageError(`The name ${operationId} must be a verb and a noun such as archiveGroup.`);
  if (operationId in operations) throw new UsageError(`The operation ${operationId} already exists.`);
  const method = verb.toLowerCase();
  if (!['get', 'put', 'post', 'patch', 'delete'].includes(method))
    throw new UsageError(`The method ${verb} must be GET, POST, PUT, PATCH or DELETE.`);
  if (!/^(\/([a-z]+(-[a-z]+)*|\{[a-z][A-Za-z]*Id\}))+$/.test(path))
    throw new UsageError(`The path ${path} must be a path such as /groups/{groupId}/archive.`);
  const taken = Object.entries(operations).find(([, one]) => one.path === path && one.method === method);
  if (taken) throw new UsageError(`${verb} ${path} is already ${taken[0]}.`);
  const resource = path.split('/')[1]!;
  const handlers = globSync('**/*-handlers.ts', { cwd: join(root, 'src/resources') });
  const own = handlers.find((file) => listSingulars(resource).includes(basename(file, '-handlers.ts')));
  if (!own || !existsSync(join(root, `api/${resource}.yaml`))) {
    throw new CommandError(
      `The resource ${resource} does not exist; start it with api/${resource}.yaml and the folder src/resources/${resource}.`,
    );
  }
  const pathIds = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
  const singular = basename(own, '-handlers.ts');
  return { operationId, method, path, resource, folder: dirname(own), singular, pathIds };
}

/** Returns possible singulars: `policies` -> `policy` and others. */
function listSingulars(resource: string): string[] {
  return [resource, resource.replace(/ies$/, 'y'), resource.replace(/es$/, ''), resource.replace(/s$/, '')];
}

/** Converts `archiveGroup` to `ArchiveGroup`. */
export function capitalised(name: string): string {
  return name[0]!.toUpperCase() + name.slice(1);
}

/** Converts `archiveGroup` to `archive-group`. */
export function kebab(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Converts `archiveGroup` to `archive_group`. */
export function snake(name: string): string {
  return kebab(name).replaceAll('-', '_');
}
