import { type ZippedFile, buildZip } from '../../../seeds/demo-zip.ts';
import { type Answer, send } from '../../support/client.ts';
import { type KeyName, keys, ownCourseId } from '../../support/world.ts';

interface ManifestOptions {
  version?: string;
  href?: string;
  parameters?: string;
}

/** Builds a manifest with one page. */
export function manifestOf({ version = '1.2', href = 'index.html', parameters = '' }: ManifestOptions = {}): string {
  const said = version === '' ? '' : `<schema>ADL SCORM</schema><schemaversion>${version}</schemaversion>`;
  return `<?xml version="1.0"?><manifest identifier="m" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
    xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2"><metadata>${said}</metadata>
    <organizations default="o"><organization identifier="o"><title>Forklifts</title>
    <item identifier="i" identifierref="r" parameters="${parameters}"><title>All</title></item></organization></organizations>
    <resources><resource identifier="r" type="webcontent" adlcp:scormtype="sco" href="${href}"/></resources></manifest>`;
}

export const PAGE: ZippedFile = { path: 'index.html', content: '<!doctype html><title>Forklifts</title>' };
export const MANIFEST: ZippedFile = { path: 'imsmanifest.xml', content: manifestOf() };

/** Builds a package of a page and the given files. */
export function packageOf(...files: ZippedFile[]): Buffer {
  return buildZip([MANIFEST, PAGE, ...files]);
}

/** Builds a package of two pages that report results. */
export function twoPagesPackage(): Buffer {
  const second = '<resource identifier="r2" type="webcontent" adlcp:scormtype="sco" href="second.html"/></resources>';
  const content = manifestOf()
    .replace('</organization>', '<item identifier="j" identifierref="r2"><title>More</title></item></organization>')
    .replace('</resources>', second);
  return buildZip([{ path: MANIFEST.path, content }, PAGE, { ...PAGE, path: 'second.html' }]);
}

export interface Upload {
  key?: KeyName;
  type?: string;
  courseId?: string;
  headers?: Record<string, string>;
}

export function packagePath(courseId = ownCourseId('tenant')): string {
  return `/courses/${courseId}/package`;
}

/** Uploads bytes unchanged. */
export function uploadPackage(bytes: Uint8Array | FormData, options: Upload = {}): Promise<Answer> {
  const { key = 'tenant', type = 'application/zip', courseId, headers = {} } = options;
  const given = { authorization: `Bearer ${keys[key]}`, 'content-type': type, ...headers };
  return send('PUT', packagePath(courseId), { body: bytes as Uint8Array, headers: given });
}
