import { github } from './github.ts';
import { html } from './html.ts';
import { json } from './json.ts';
import { junit } from './junit.ts';
import { markdown } from './markdown.ts';
import type { Report } from './report.ts';
import { sarif } from './sarif.ts';
import { text } from './text.ts';

export const formats = { text, markdown, json, github, junit, sarif, html } satisfies Record<
  string,
  (report: Report) => string
>;
export type Format = keyof typeof formats;
