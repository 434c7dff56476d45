// Names each fault in the written courses and templates of simulations, with its file and place.
//   node scripts/check/content.ts [folder]
// It reads content/ in the folder of the project, unless another folder is given.
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
  console.log(`${courses.length} courses, ${templates.length} templates of simulations, and no fault`);
}
