import { quoted, toPathKey } from './path-names.ts';
import { XmlFault } from './xml-tree.ts';

const MAX_LAUNCH_LENGTH = 1000;
const BASE = 'package://root/';

/** Paths of a package's files, by their lookup keys. */
export type PathsByKey = ReadonlyMap<string, string>;

export function toPathsByKey(paths: Iterable<string>): PathsByKey {
  return new Map([...paths].map((path) => [toPathKey(path), path]));
}

/**
 * Resolves the href of a page in a package. According to the standard, an href is a URL, but many tools write plain
 * file names. The href therefore refers to its longest prefix that is the name of a file, so that “C# intro/index.html”
 * and “100%.html” work as well as “index.html#page”.
 * @param bases values of `xml:base`, outermost first
 * @returns the relative URL of the page, with the file name as the package spells it
 * @throws {XmlFault}
 */
export function resolveLaunch(bases: readonly string[], href: string, files: PathsByKey): string {
  const address = toLocal(href);
  const folder = bases.reduce((steps, base) => resolveSteps(steps, toLocal(base)).slice(0, -1), [] as string[]);
  for (const end of listEnds(address)) {
    const name = address.slice(0, end);
    for (const one of [decodeAddress(name), name]) {
      const file = one === undefined ? undefined : files.get(toPathKey(resolveSteps(folder, one).join('/')));
      if (file !== undefined) return toAddress(file, address.slice(end));
    }
  }
  throw new XmlFault(`names ${quoted(href)} to launch, which is not in the package`);
}

/** Adds an item's parameters to the URL of its page, as SCORM defines it. @throws {XmlFault} */
export function withParameters(address: string, parameters: string): string {
  if (parameters === '') return address;
  const url = new URL(address, BASE);
  if (parameters.startsWith('#')) url.hash = parameters;
  else url.search = [url.search.slice(1), parameters.replace(/^[?&]/, '')].filter(Boolean).join('&');
  if (url.href.length > MAX_LAUNCH_LENGTH) throw new XmlFault('names launch parameters that are too long');
  return url.href.slice(BASE.length);
}

/** Returns the path of the file to which a resolved URL refers. */
export function toLaunchFile(launchPath: string): string {
  return decodeURIComponent(launchPath.split(/[?#]/)[0]!);
}

/** @throws {XmlFault} for a URL outside the package */
function toLocal(text: string): string {
  const address = text.trim().replaceAll('\\', '/');
  if (address.length > MAX_LAUNCH_LENGTH) throw new XmlFault(`names ${quoted(text)} to launch, which is too long`);
  if (/^([a-z][a-z\d+.-]*:|\/\/)/i.test(address)) {
    throw new XmlFault(`names ${quoted(text)} to launch, which is not a file of the package`);
  }
  return address;
}

/** Returns the positions at which the file name in an href can end, longest first. */
function listEnds(address: string): number[] {
  return [address.length, ...[...address.matchAll(/[?#]/g)].map(({ index }) => index).toReversed()];
}

/** Resolves a path relative to a folder. The top folder is its own parent, as in URLs. */
function resolveSteps(folder: readonly string[], path: string): string[] {
  const steps = path.startsWith('/') ? [] : [...folder];
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.' && step !== '') steps.push(step);
  }
  // A path to a folder ends with an empty step, so that the last step is never the folder itself.
  return /(^|\/)\.{0,2}$/.test(path) ? [...steps, ''] : steps;
}

function decodeAddress(name: string): string | undefined {
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}

function toAddress(file: string, rest: string): string {
  const path = file.split('/').map(encodeURIComponent).join('/');
  return new URL(path + rest, BASE).href.slice(BASE.length);
}
