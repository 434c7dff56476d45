import { json } from './json.ts';
import { markdown } from './markdown.ts';
import type { Report } from './report.ts';
import { text } from './text.ts';

export const formats = { text, markdown, json } satisfies Record<string, (report: Report) => string>;
export type Format = keyof typeof formats;
