import { quoted } from './path-names.ts';
import { isPage } from './file-types.ts';
import { toLaunchFile, toPathsByKey } from './launch-path.ts';
import { findChild, listChildren, type ManifestItem, readAttribute, readItems, readTitle } from './manifest-items.ts';
import { readXml, type XmlElement, XmlFault } from './xml-tree.ts';

export type Standard = 'scorm_1_2' | 'scorm_2004';

/** Data that the service uses from a manifest. */
export interface Manifest {
  standard: Standard;
  /** Version of the standard, as the manifest spells it; null if the manifest states none. */
  schemaVersion: string | null;
  title: string | null;
  /** Relative URL of the played item's page, with its parameters. */
  launchPath: string;
  items: ManifestItem[];
}

export const MANIFEST = 'imsmanifest.xml';
const MAX_VERSION_LENGTH = 50;

/**
 * Reads `imsmanifest.xml`.
 * @param paths paths of all files of the package
 * @throws {XmlFault} if the package cannot be played; the message is worded to follow the manifest's name
 */
export function readManifest(text: string, paths: ReadonlySet<string>): Manifest {
  const { root, namespaces } = readXml(text);
  if (root.name !== 'manifest') throw new XmlFault('is not a manifest');
  const schemaVersion = findChild(findChild(root, 'metadata'), 'schemaversion')?.text.trim() ?? '';
  const standard = readStandard(root, schemaVersion, namespaces);
  const organization = findOrganization(root);
  const items = readItems(root, organization, toPathsByKey(paths));
  const played = items.find(({ isPlayed }) => isPlayed)!;
  const launchPath = played.launchPath!;
  if (!isPage(toLaunchFile(launchPath)))
    throw new XmlFault(`names ${quoted(launchPath)} to launch, which is not an HTML file`);
  const title = readTitle(organization) ?? played.title;
  return { standard, schemaVersion: schemaVersion.slice(0, MAX_VERSION_LENGTH) || null, title, launchPath, items };
}

/** Reads `imsmanifest.xml` like `readManifest`, but returns the message of a fault instead of throwing it. */
export function readManifestOrFault(text: string, paths: readonly string[]): Manifest | string {
  try {
    return readManifest(text, new Set(paths));
  } catch (error) {
    if (error instanceof XmlFault) return error.message;
    throw error;
  }
}

/**
 * Reads the SCORM version that the manifest states. Tools spell it in many ways, and some state the version of IMS
 * Content Packaging instead. In that case, the namespaces decide; if there are none, the spelling of an attribute
 * decides.
 */
function readStandard(root: XmlElement, schemaVersion: string, namespaces: ReadonlySet<string>): Standard {
  if (/^(SCORM\s*)?1\.[12](\.0)?$/i.test(schemaVersion)) return 'scorm_1_2';
  if (/^(SCORM\s*)?2004/i.test(schemaVersion) || /^(CAM\s*)?1\.3/i.test(schemaVersion)) return 'scorm_2004';
  const spaces = [...namespaces].join(' ');
  if (/adlcp_rootv1p[12]/.test(spaces)) return 'scorm_1_2';
  if (/adlcp_v1p3/.test(spaces)) return 'scorm_2004';
  const resources = listChildren(findChild(root, 'resources'), 'resource');
  // If the namespaces do not help, the version of another standard, such as AICC, decides.
  if (schemaVersion === '' && resources.some(({ attributes }) => attributes.has('scormtype'))) return 'scorm_1_2';
  if (schemaVersion === '' && resources.some(({ attributes }) => attributes.has('scormType'))) return 'scorm_2004';
  const named = schemaVersion === '' ? '' : ` (it says ${quoted(schemaVersion)})`;
  throw new XmlFault(`names no supported version of SCORM${named}; use 1.2 or 2004`);
}

/** Returns the default organization; otherwise the first organization that has items. */
function findOrganization(root: XmlElement): XmlElement | undefined {
  const organizations = findChild(root, 'organizations');
  const all = listChildren(organizations, 'organization');
  const defaultId = readAttribute(organizations, 'default');
  const withItems = all.filter((one) => findChild(one, 'item') !== undefined);
  return withItems.find((one) => readAttribute(one, 'identifier') === defaultId) ?? withItems[0] ?? all[0];
}
