import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';

const read = (file: string) => load(readFileSync(`content/simulations/${file}`, 'utf8')) as Record<string, any>;

test.each(readdirSync('content/simulations'))('docs/simulations.md lists the template %s', (slug) => {
  const page = readFileSync('docs/simulations.md', 'utf8').replace(/ +/g, ' ');
  const { names, deliveryMethod, difficulty } = read(`${slug}/template.yaml`);
  const { subject } = read(`${slug}/en.yaml`);
  expect(page).toContain(`| ${names.en} | ${subject} | ${deliveryMethod} | ${difficulty} |`);
});
