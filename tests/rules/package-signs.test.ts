/** @jest-environment node */
import { SignCollector } from '../../src/resources/courses/scorm/inspection/package-signs.ts';

function collect(text: string) {
  const signs = new SignCollector();
  signs.add('index.html', 'text/html', Buffer.from(text));
  return signs.collect('index.html');
}

test.each([
  ['<!-- Created using Storyline 360 - http://www.articulate.com  -->\n<!-- version: 3.4 -->', 'Articulate Storyline'],
  ['<organizations default="articulate_rise">', 'Articulate Rise'],
  ['<!-- Created with iSpring --><!-- 1024 768 --><!-- version 9.7.1 -->', 'iSpring'],
  ['/* Rustici Software, LLC */\n  var VERSION = "7.1"', 'Rustici SCORM Driver'],
])('%s is a sign of its tool', (text, name) => expect(collect(text).authoringTool).toMatchObject({ name }));

// Quadratic patterns would take 5 to 22 s for each.
test.each(['<!-- Created using Storyline', '<!-- Created with iSpring', '<organizations', 'Rustici Software '])(
  'a page that repeats %s is searched within a second',
  (start) => {
    const begin = performance.now();
    expect(collect(start.repeat((512 * 1024) / start.length)).authoringTool).toBeNull();
    expect(performance.now() - begin).toBeLessThan(1000);
  },
);
