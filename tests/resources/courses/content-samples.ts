import { type Answer, call, post } from '../../support/client.ts';
import { type KeyName, ownCourseId } from '../../support/world.ts';

/** The files of a course with one lesson and one question, in German and French. */
export const FILES: Readonly<Record<string, string>> = {
  'course.yaml': `names: { de: Zeichnungen, fr: Dessins }
summaries: { de: Wo Zeichnungen liegen dürfen., fr: Où garder les dessins. }
minutes: 7
passMark: 60
languages: [de, fr]
reviewed: 2026-11-23
`,
  'de/01-first.md': '# Erste Lektion\n\nText.\n',
  'fr/01-first.md': '# Première leçon\n\nTexte.\n',
  'de/questions.yaml': questions('Was nun?'),
  'fr/questions.yaml': questions('Et maintenant ?'),
};

export function questions(ask: string): string {
  return `- id: first
  lesson: 01-first
  kind: one
  ask: ${ask}
  answers:
    - { id: a, text: A, right: true, because: So. }
    - { id: b, text: B, right: false, because: So. }
`;
}

/** Lists the files with changes; undefined omits a file. */
export function filesWith(changes: Record<string, string | undefined> = {}): { path: string; text: string }[] {
  // In the order of responses: the manifest, the lessons, the questions.
  return Object.entries({ ...FILES, ...changes }).flatMap(([path, text]) =>
    text === undefined ? [] : [{ path, text }],
  );
}

export function contentPath(rest = '', courseId = ownCourseId('tenant')): string {
  return `/courses/${courseId}/content${rest}`;
}

interface Saving {
  key?: KeyName;
  courseId?: string;
  headers?: Record<string, string>;
}

export function saveContent(
  changes: Record<string, string | undefined> = {},
  { key = 'tenant', courseId, headers = {} }: Saving = {},
): Promise<Answer> {
  return call(key, 'PUT', contentPath('', courseId), { body: { files: filesWith(changes) }, headers });
}

export async function findingsOf(changes: Record<string, string | undefined>): Promise<Record<string, unknown>[]> {
  const { body } = await post(contentPath('/check'), { files: filesWith(changes) });
  return body.data.findings;
}
