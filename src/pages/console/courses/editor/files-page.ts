import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { editorMessages } from './editor-messages.ts';
import { type Edited, toEditorPath } from './editor-reading.ts';
import { findingsList } from './findings.ts';

/** Renders the list of a course's files, each of which can be edited as text. */
export function filesContent({ course, files, content }: Edited, language: Language): Html {
  const link = (path: string) =>
    html`<li>
      <a href=${toEditorPath(course.id, `/file?path=${encodeURIComponent(path)}`)}><code>${path}</code></a>
    </li>`;
  return html`
    <p><a href=${toEditorPath(course.id)}>${editorMessages[language].toSteps}</a></p>
    ${findingsList(content.findings, language)}
    <ul>
      ${[...files.keys()].map(link)}
    </ul>
    ${apiCalls([{ operationId: 'getCourseContent', path: { courseId: course.id } }], language)}
  `;
}
