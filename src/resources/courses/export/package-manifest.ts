import escapeHtml from 'escape-html';
import type { Language } from '../../../contract/languages.ts';

/** Formats of exported packages. */
export type ExportFormat = 'scorm_1_2' | 'scorm_2004' | 'cmi5';

/** A package as its manifest describes it. */
export interface PackageDescription {
  courseId: string;
  /**
   * Names and summaries of the course in the languages of the package; SCORM shows the first name as that of the
   * package.
   */
  texts: readonly { language: Language; name: string; summary: string }[];
  /** Minimum score to pass, in percent; null for a course without questions, which reports no score. */
  passMark: number | null;
  /** Paths of all files except the manifest. */
  files: readonly string[];
}

export const LAUNCH_PATH = 'index.html';

/** Builds the manifest of a package. Returns its path and content. */
export function buildManifest(format: ExportFormat, description: PackageDescription): { path: string; text: string } {
  if (format === 'cmi5') return { path: 'cmi5.xml', text: buildCourseStructure(description) };
  const build = format === 'scorm_2004' ? buildScorm2004 : buildScorm12;
  return { path: 'imsmanifest.xml', text: build(description) };
}

/**
 * Pattern of characters that XML does not allow even if they are escaped. A course's YAML can contain them as escapes.
 */
const NOT_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(NOT_XML, '\uFFFD'));
}

// Uses the 3rd edition, because systems that play the 4th edition also play the 3rd, but not the other way around. The
// pass mark is the minimum of the primary objective, so that a system can show and change it.
function buildScorm2004({ courseId, texts, passMark, files }: PackageDescription): string {
  const title = escapeXml(texts[0]!.name);
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="course-${courseId}" version="1"
  xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_v1p3"
  xmlns:imsss="http://www.imsglobal.org/xsd/imsss">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>2004 3rd Edition</schemaversion>
  </metadata>
  <organizations default="organization">
    <organization identifier="organization">
      <title>${title}</title>
      <item identifier="item" identifierref="resource">
        <title>${title}</title>
        <imsss:sequencing>
          <imsss:objectives>
${passMark === null ? '            <imsss:primaryObjective objectiveID="pass"/>' : buildObjective(passMark)}
          </imsss:objectives>
          <imsss:deliveryControls completionSetByContent="true" objectiveSetByContent="true"/>
        </imsss:sequencing>
      </item>
      <imsss:sequencing>
        <imsss:controlMode choice="true" flow="true"/>
      </imsss:sequencing>
    </organization>
  </organizations>
  <resources>
    <resource identifier="resource" type="webcontent" adlcp:scormType="sco" href="${LAUNCH_PATH}">
${listFiles(files)}
    </resource>
  </resources>
</manifest>
`;
}

function buildObjective(passMark: number): string {
  return `            <imsss:primaryObjective objectiveID="pass" satisfiedByMeasure="true">
              <imsss:minNormalizedMeasure>${passMark / 100}</imsss:minNormalizedMeasure>
            </imsss:primaryObjective>`;
}

function buildScorm12({ courseId, texts, passMark, files }: PackageDescription): string {
  const title = escapeXml(texts[0]!.name);
  return `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="course-${courseId}" version="1"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata>
    <schema>ADL SCORM</schema>
    <schemaversion>1.2</schemaversion>
  </metadata>
  <organizations default="organization">
    <organization identifier="organization">
      <title>${title}</title>
      <item identifier="item" identifierref="resource">
        <title>${title}</title>${passMark === null ? '' : `\n        <adlcp:masteryscore>${passMark}</adlcp:masteryscore>`}
      </item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="resource" type="webcontent" adlcp:scormtype="sco" href="${LAUNCH_PATH}">
${listFiles(files)}
    </resource>
  </resources>
</manifest>
`;
}

// The ids do not mention this service, which learners in another system do not know.
function buildCourseStructure({ courseId, texts, passMark }: PackageDescription): string {
  const mastery = passMark === null ? '' : ` masteryScore="${passMark / 100}"`;
  const strings = (field: 'name' | 'summary') =>
    texts.map((text) => `<langstring lang="${text.language}">${escapeXml(text[field])}</langstring>`).join('');
  const described = (indent: string) =>
    `${indent}<title>${strings('name')}</title>\n${indent}<description>${strings('summary')}</description>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<courseStructure xmlns="https://w3id.org/xapi/profiles/cmi5/v1/CourseStructure.xsd">
  <course id="urn:uuid:${courseId}">
${described('    ')}
  </course>
  <au id="urn:uuid:${courseId}#content" moveOn="CompletedAndPassed"${mastery} launchMethod="AnyWindow">
${described('    ')}
    <url>${LAUNCH_PATH}</url>
  </au>
</courseStructure>
`;
}

function listFiles(files: readonly string[]): string {
  return files.map((path) => `      <file href="${escapeXml(path)}"/>`).join('\n');
}
