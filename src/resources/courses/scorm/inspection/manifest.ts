import { isPage } from './file-types.ts';
import { quoted } from './entry-rules.ts';
import { readXml, type XmlElement, XmlFault } from './xml-tree.ts';

export type Standard = 'scorm_1_2' | 'scorm_2004';

/** Data that the service uses from a manifest. */
export interface Manifest {
  standard: Standard;
  title: string | null;
  /** Relative address of the first page, with its parameters. */
  launchPath: string;
}

export const MANIFEST = 'imsmanifest.xml';
const MAX_TITLE_LENGTH = 200;
const MAX_LAUNCH_LENGTH = 1000;
const BASE = 'package://root/';

/**
 * Reads `imsmanifest.xml`.
 * @param paths paths of all files of the package
 * @throws {XmlFault} if the package cannot be played; the message is worded to follow the manifest's name
 */
export function readManifest(text: string, paths: ReadonlySet<string>): Manifest {
  const { root, namespaces } = readXml(text);
  if (root.name !== 'manifest') throw new XmlFault('is not a manifest');
  const standard = readStandard(root, namespaces);
  const organization = findOrganization(root);
  const items = listItems(organization);
  const [item] = items;
  if (!item) throw new XmlFault('names no item to launch');
  if (items.length > 1) throw new XmlFault(`names ${items.length} items to launch, but only one is supported`);
  const launchPath = readLaunch(root, item);
  requireLaunchFile(launchPath, paths);
  return { standard, title: readTitle(organization) ?? readTitle(item), launchPath };
}

function readStandard(root: XmlElement, namespaces: ReadonlySet<string>): Standard {
  const schemaVersion = findChild(findChild(root, 'metadata'), 'schemaversion')?.text.trim() ?? '';
  if (schemaVersion === '1.2') return 'scorm_1_2';
  if (/^(2004|CAM 1\.3)/.test(schemaVersion)) return 'scorm_2004';
  if (schemaVersion === '' && namespaces.has('http://www.adlnet.org/xsd/adlcp_rootv1p2')) return 'scorm_1_2';
  if (schemaVersion === '' && namespaces.has('http://www.adlnet.org/xsd/adlcp_v1p3')) return 'scorm_2004';
  throw new XmlFault('names no supported version of SCORM; use 1.2 or 2004');
}

function findOrganization(root: XmlElement): XmlElement | undefined {
  const organizations = findChild(root, 'organizations');
  const all = listChildren(organizations, 'organization');
  const defaultId = organizations?.attributes.get('default');
  return all.find(({ attributes }) => attributes.get('identifier') === defaultId) ?? all[0];
}

/** Returns the items that can be launched. The XML reader limits their depth. */
function listItems(parent: XmlElement | undefined): XmlElement[] {
  return listChildren(parent, 'item').flatMap((item) => [
    ...(item.attributes.get('identifierref') ? [item] : []),
    ...listItems(item),
  ]);
}

function readLaunch(root: XmlElement, item: XmlElement): string {
  const resources = findChild(root, 'resources');
  const resourceId = item.attributes.get('identifierref');
  const resource = listChildren(resources, 'resource').find(
    ({ attributes }) => attributes.get('identifier') === resourceId,
  );
  const href = resource?.attributes.get('href');
  if (!resource || !href) throw new XmlFault('names an item to launch that is not among its resources');
  const type = resource.attributes.get('scormtype') ?? resource.attributes.get('scormType');
  if (type?.toLowerCase() === 'asset')
    throw new XmlFault('names an item to launch that reports no results (an asset instead of a SCO)');
  const bases = [root, resources, resource].map((element) => element?.attributes.get('base') ?? '');
  const address = [...bases, href].reduce((base, step) => resolved(step, base), BASE);
  return withParameters(address, item.attributes.get('parameters')?.trim() ?? '').slice(BASE.length);
}

function resolved(step: string, base: string): string {
  const address = URL.parse(step.trim().replaceAll('\\', '/'), base)?.href;
  if (address?.startsWith(BASE) && address.length <= MAX_LAUNCH_LENGTH) return address;
  throw new XmlFault(`names ${quoted(step)} to launch, which is not a file of the package`);
}

function withParameters(address: string, parameters: string): string {
  if (parameters === '') return address;
  const url = new URL(address);
  if (parameters.startsWith('#')) url.hash = parameters;
  else url.search = [url.search.slice(1), parameters.replace(/^[?&]/, '')].filter(Boolean).join('&');
  if (url.href.length > MAX_LAUNCH_LENGTH) throw new XmlFault('names launch parameters that are too long');
  return url.href;
}

function requireLaunchFile(launchPath: string, paths: ReadonlySet<string>): void {
  const file = findLaunchFile(launchPath);
  if (file === undefined || !paths.has(file)) {
    throw new XmlFault(`names ${quoted(launchPath)} to launch, which is not in the package`);
  }
  if (!isPage(file)) throw new XmlFault(`names ${quoted(launchPath)} to launch, which is not an HTML file`);
}

/** Returns the path of the file that an address names; undefined if the address is malformed. */
function findLaunchFile(launchPath: string): string | undefined {
  try {
    return decodeURIComponent(launchPath.split(/[?#]/)[0]!).normalize('NFC');
  } catch {
    return undefined;
  }
}

function readTitle(element: XmlElement | undefined): string | null {
  const text = findChild(element, 'title')?.text.replaceAll(/\s+/g, ' ').trim() ?? '';
  return [...text].slice(0, MAX_TITLE_LENGTH).join('') || null;
}

function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find((child) => child.name === name);
}

function listChildren(element: XmlElement | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}
