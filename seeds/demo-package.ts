import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { DEFAULT_PACKAGE_LIMITS } from '../src/config/package-limits.ts';
import { inspectPackage } from '../src/resources/courses/scorm/inspection/inspect-package.ts';
import { toPathKey } from '../src/resources/courses/scorm/inspection/path-names.ts';
import { buildZip } from './demo-zip.ts';

const MANIFEST = `<?xml version="1.0" encoding="UTF-8"?>
<manifest identifier="visitors" version="1" xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2"
          xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
  <metadata><schema>ADL SCORM</schema><schemaversion>1.2</schemaversion></metadata>
  <organizations default="visitors">
    <organization identifier="visitors">
      <title>Visitors and contractors on our sites</title>
      <item identifier="all" identifierref="page"><title>Visitors and contractors</title></item>
    </organization>
  </organizations>
  <resources>
    <resource identifier="page" type="webcontent" adlcp:scormtype="sco" href="index.html">
      <file href="index.html"/><file href="course.js"/><file href="course.css"/>
    </resource>
  </resources>
</manifest>
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Visitors and contractors on our sites</title>
<link rel="stylesheet" href="course.css">
<script src="course.js" defer></script>
</head>
<body>
<main>
<section>
<h1>Visitors and contractors on our sites</h1>
<p>A visitor signs in at the gate, wears a badge, and is met by whom they visit. In halls 3 and 4 somebody walks with them.</p>
<p>On a Tuesday in Sheffield a man in a safety vest carried a ladder through two doors. Three people held one open for him.
Nobody had asked his name.</p>
<button type="button" data-next>Next</button>
</section>
<section hidden>
<h1>What do you do?</h1>
<p>A stranger without a badge stands at the drawing office and says that he is from the lift company.</p>
<fieldset>
<legend>Choose one</legend>
<label><input type="radio" name="answer" value="0"> I let him in: the lift is out of order.</label>
<label><input type="radio" name="answer" value="100"> I ask whom he visits, and walk with him to the gate.</label>
<label><input type="radio" name="answer" value="0"> I go on: the gate has surely seen him.</label>
</fieldset>
<button type="button" data-answer>Answer</button>
</section>
<section hidden>
<h1 data-result></h1>
<p>Asking is polite, and it is your job. Those who belong here do not mind. Call the gate on 200 when you are alone.</p>
</section>
</main>
</body>
</html>
`;

const SCRIPT = `// Finds the API of the learning system in the windows above, as SCORM 1.2 says.
function findApi() {
  for (let frame = window, steps = 0; steps < 10; frame = frame.parent, steps += 1) {
    if (frame.API) return frame.API;
    if (frame.parent === frame) return null;
  }
  return null;
}

const api = findApi();
const pages = [...document.querySelectorAll('section')];

function show(number) {
  pages.forEach((page, index) => (page.hidden = index !== number));
  api?.LMSSetValue('cmi.core.lesson_location', String(number));
  api?.LMSCommit('');
}

function finish(score) {
  document.querySelector('[data-result]').textContent = score === 100 ? 'Right' : 'Not quite';
  api?.LMSSetValue('cmi.core.score.raw', String(score));
  api?.LMSSetValue('cmi.core.lesson_status', score === 100 ? 'passed' : 'failed');
  show(2);
}

document.querySelector('[data-next]').addEventListener('click', () => show(1));
document.querySelector('[data-answer]').addEventListener('click', () => {
  const chosen = document.querySelector('input:checked');
  if (chosen) finish(Number(chosen.value));
});
addEventListener('pagehide', () => api?.LMSFinish(''));

api?.LMSInitialize('');
const begun = Number(api?.LMSGetValue('cmi.core.lesson_location') || 0);
if (begun > 0) show(begun);
`;

const STYLE = `:root { color-scheme: light dark; font: 1.125rem/1.5 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 1rem; }
label { display: block; padding: 0.5rem 0; }
button { font: inherit; padding: 0.5rem 1rem; }
fieldset { margin: 1rem 0; }
`;

/** The package of the demo's course about visitors. */
export const demoPackage = buildZip([
  { path: 'imsmanifest.xml', content: MANIFEST },
  { path: 'index.html', content: PAGE },
  { path: 'course.js', content: SCRIPT },
  { path: 'course.css', content: STYLE },
]);

/** The ids and date of a package. */
export interface PackagePlace {
  companyId: string;
  courseId: string;
  packageId: string;
  uploadedAt: string;
}

/** Stores the package for a course unless it exists. */
export async function insertPackage(knex: Knex, place: PackagePlace): Promise<void> {
  const { companyId, courseId, packageId, uploadedAt } = place;
  const found = await inspectPackage(demoPackage, DEFAULT_PACKAGE_LIMITS);
  if (found.fault !== undefined) throw new Error(`The package of the demo ${found.fault}`);
  const sha256 = hash('sha256', demoPackage, 'buffer');
  const company_id = companyId;
  await knex('package_contents').insert({ company_id, sha256, content: demoPackage }).onConflict().ignore();
  await knex('course_packages')
    .insert({
      ...{ company_id, id: packageId, course_id: courseId, sha256, standard: found.standard, title: found.title },
      ...{ launch_path: found.launchPath, file_name: 'visitors.zip', size_bytes: demoPackage.length },
      ...{
        schema_version: found.schemaVersion,
        items: JSON.stringify(found.items),
        report: JSON.stringify(found.report),
      },
      ...{ unpacked_bytes: found.unpackedBytes, file_count: found.files.length, uploaded_at: uploadedAt },
    })
    .onConflict()
    .ignore();
  const files = found.files.map(({ path, contentType, sizeBytes, offset, packedBytes, isDeflated }) => ({
    ...{
      company_id,
      package_id: packageId,
      path,
      path_key: toPathKey(path),
      content_type: contentType,
      size_bytes: sizeBytes,
    },
    ...{ packed_offset: offset, packed_bytes: packedBytes, is_deflated: isDeflated },
  }));
  await knex('package_files').insert(files).onConflict().ignore();
}
