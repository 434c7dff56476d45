import { resolveLaunch, type PathsByKey, withParameters } from './launch-path.ts';
import { type XmlElement, XmlFault } from './xml-tree.ts';

/** An item of a manifest: a page of the course (SCO or asset), or a heading above other items. */
export interface ManifestItem {
  id: string | null;
  title: string | null;
  /** Depth in the tree of items; 0 at the top. */
  level: number;
  isHidden: boolean;
  /** Whether the item reports results; false for a heading or an asset. */
  isSco: boolean;
  /** Whether learners take this item if they can take only one. */
  isPlayed: boolean;
  /** Relative URL of the item's page, with its parameters; null for a heading, or if the page is missing. */
  launchPath: string | null;
  parameters: string | null;
  prerequisites: string | null;
  launchData: string | null;
  masteryScore: number | null;
  maxTimeAllowed: string | null;
  timeLimitAction: string | null;
  completionThreshold: number | null;
  scaledPassingScore: number | null;
  /** Ids of the objectives, starting with the primary objective. */
  objectives: string[];
}

/** Parts of a package that items refer to. */
interface References {
  root: XmlElement;
  resources: ReadonlyMap<string, XmlElement>;
  /** Sequencing shared by several items, by id. */
  sequencings: ReadonlyMap<string, XmlElement>;
  files: PathsByKey;
}

const MAX_ITEMS = 1000;
const MAX_TITLE_LENGTH = 200;
const TIME_LIMIT_ACTIONS = ['exit,message', 'exit,no message', 'continue,message', 'continue,no message'];

/**
 * Reads the items of an organization in the order of the manifest, and chooses the item that is played: the first
 * visible SCO, or the first SCO if none is visible.
 * @throws {XmlFault} if no item can be played
 */
export function readItems(root: XmlElement, organization: XmlElement | undefined, files: PathsByKey): ManifestItem[] {
  const elements = listItems(organization, 0);
  if (elements.length > MAX_ITEMS) throw new XmlFault(`has more than ${MAX_ITEMS} items`);
  const resources = indexById(findChild(root, 'resources'), 'resource', 'identifier');
  const sequencings = indexById(findChild(root, 'sequencingcollection'), 'sequencing', 'id');
  const references = { root, files, resources, sequencings };
  const read = elements.map(({ element, level }) => ({ element, item: readItem(references, element, level) }));
  const launchable = read.filter(({ element }) => readAttribute(element, 'identifierref') !== null);
  if (launchable.length === 0) throw new XmlFault('names no item to launch');
  const scos = launchable.filter(({ item }) => item.isSco);
  const played = scos.find(({ item }) => !item.isHidden) ?? scos[0];
  if (!played) {
    throw new XmlFault('names an item to launch that reports no results (an asset instead of a SCO)');
  }
  return read.map(({ element, item }) => {
    const isPlayed = item === played.item;
    return { ...item, isPlayed, launchPath: (isPlayed ? readLaunch : tryLaunch)(references, element) };
  });
}

function listItems(parent: XmlElement | undefined, level: number): { element: XmlElement; level: number }[] {
  return listChildren(parent, 'item').flatMap((element) => [{ element, level }, ...listItems(element, level + 1)]);
}

function readItem(
  references: References,
  element: XmlElement,
  level: number,
): Omit<ManifestItem, 'isPlayed' | 'launchPath'> {
  const sequencing = findSequencing(references, element);
  const limits = findChild(sequencing, 'limitconditions');
  const resource = findResource(references, element);
  const action =
    readText(element, 'timelimitaction')
      ?.toLowerCase()
      .replace(/\s*,\s*/, ',') ?? '';
  return {
    id: readAttribute(element, 'identifier'),
    title: readTitle(element),
    level,
    isHidden: readAttribute(element, 'isvisible')?.toLowerCase() === 'false',
    isSco: resource !== undefined && readAttribute(resource, 'scormtype')?.toLowerCase() !== 'asset',
    parameters: readAttribute(element, 'parameters'),
    prerequisites: readText(element, 'prerequisites'),
    launchData: findChild(element, 'datafromlms')?.text.trim() || null,
    masteryScore: parseNumber(readText(element, 'masteryscore'), 0, 100),
    maxTimeAllowed: readText(element, 'maxtimeallowed') ?? readAttribute(limits, 'attemptabsolutedurationlimit'),
    timeLimitAction: TIME_LIMIT_ACTIONS.includes(action) ? action : null,
    completionThreshold: readThreshold(findChild(element, 'completionthreshold')),
    ...readObjectives(findChild(sequencing, 'objectives')),
  };
}

/** Reads the threshold as SCORM 2004 4th Edition defines it, otherwise as the 3rd Edition does. */
function readThreshold(threshold: XmlElement | undefined): number | null {
  const isMeasured = readAttribute(threshold, 'completedbymeasure')?.toLowerCase();
  if (isMeasured === 'false') return null;
  return parseNumber(readAttribute(threshold, 'minprogressmeasure') ?? (threshold?.text.trim() || null), 0, 1);
}

function readObjectives(parent: XmlElement | undefined): Pick<ManifestItem, 'objectives' | 'scaledPassingScore'> {
  const primary = findChild(parent, 'primaryobjective');
  const all = [...(primary ? [primary] : []), ...listChildren(parent, 'objective')];
  const isMeasured = readAttribute(primary, 'satisfiedbymeasure')?.toLowerCase() === 'true';
  const objectives = all.flatMap((objective) => readAttribute(objective, 'objectiveid') ?? []);
  // The standard's default is 1.
  const score = parseNumber(readText(primary, 'minnormalizedmeasure') ?? '1', -1, 1);
  return { objectives, scaledPassingScore: isMeasured ? score : null };
}

/** Returns the sequencing of an item, which several items can share through a collection. */
function findSequencing({ sequencings }: References, item: XmlElement): XmlElement | undefined {
  const own = findChild(item, 'sequencing');
  const id = readAttribute(own, 'idref');
  const template = id === null ? undefined : sequencings.get(id);
  return own && template ? { ...own, children: [...own.children, ...template.children] } : own;
}

/** Indexes children by an attribute. If two children have the same value, the first counts. */
function indexById(parent: XmlElement | undefined, name: string, attribute: string): Map<string, XmlElement> {
  const children = listChildren(parent, name).toReversed();
  return new Map(children.map((child) => [readAttribute(child, attribute) ?? '', child]));
}

function findResource({ resources }: References, item: XmlElement): XmlElement | undefined {
  const id = readAttribute(item, 'identifierref');
  return id === null ? undefined : resources.get(id);
}

/** @throws {XmlFault} if the page of an item cannot be opened */
function readLaunch(references: References, item: XmlElement): string {
  const { root, files } = references;
  const resource = findResource(references, item);
  const href = readAttribute(resource, 'href');
  if (href === null) throw new XmlFault('names an item to launch that is not among its resources');
  const parents = [root, findChild(root, 'resources'), resource];
  const bases = parents.flatMap((element) => readAttribute(element, 'base') ?? []);
  return withParameters(resolveLaunch(bases, href, files), readAttribute(item, 'parameters') ?? '');
}

function tryLaunch(references: References, item: XmlElement): string | null {
  if (!findResource(references, item)) return null;
  try {
    return readLaunch(references, item);
  } catch (error) {
    if (error instanceof XmlFault) return null;
    throw error;
  }
}

export function readTitle(element: XmlElement | undefined): string | null {
  const text = findChild(element, 'title')?.text.replaceAll(/\s+/g, ' ').trim() ?? '';
  return [...text].slice(0, MAX_TITLE_LENGTH).join('') || null;
}

function parseNumber(text: string | null, min: number, max: number): number | null {
  const value = text !== null && /^-?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : NaN;
  return value >= min && value <= max ? value : null;
}

function readText(element: XmlElement | undefined, name: string): string | null {
  return findChild(element, name)?.text.trim() || null;
}

/**
 * Returns an attribute by its lower-case name; null if it is missing or empty. Ignores case, because tools differ in
 * the case of names.
 */
export function readAttribute(element: XmlElement | undefined, name: string): string | null {
  const exact = [...(element?.attributes ?? [])].find(([one]) => one.toLowerCase() === name)?.[1];
  return exact?.trim() || null;
}

/** Returns the first child with the given lower-case name, ignoring case. */
export function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name.toLowerCase() === name);
}

/** Returns the children with the given lower-case name, ignoring case. */
export function listChildren(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name.toLowerCase() === name) ?? [];
}
