// Reports each fault in the authored courses and simulation templates, with its file and line.
//   node scripts/check/content.ts [folder]
// Reads content/ in the current folder unless another folder is given.
import { join } from 'node:path';
import { inLine } from '../../src/resources/courses/authored/course.ts';
import { readContent } from '../../src/resources/courses/authored/read-content.ts';
import { readTemplates } from '../../src/resources/simulations/templates/written-templates.ts';

const folder = process.argv[2] ?? join(process.cwd(), 'content');
const { courses, faults: ofCourses } = await readContent(folder);
const { templates, faults: ofTemplates } = await readTemplates(folder);
const faults = [...ofCourses, ...ofTemplates];
if (faults.length > 0) {
  console.error(faults.map((fault) => `${folder}/${inLine(fault)}`).join('\n'));
  process.exitCode = 1;
} else {
  console.log(`${courses.length} courses, ${templates.length} simulation templates, no faults`);
}
