import type { Request, Response, Router } from 'express';
import { notFound } from '../../../../contract/errors.ts';
import { getForm } from '../../../../http/body/form.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { publicError } from '../../../../http/response/public-error.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { confirmation } from '../../../shared/parts/confirmation.ts';
import { hiddenFields, newFormName } from '../../../shared/parts/fields.ts';
import { redirectWithNotice } from '../../../shared/parts/notice.ts';
import { getAdmin, requireCall } from '../../admin.ts';
import { sendConsolePage } from '../../console-page.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { toIfMatch } from '../../form-version.ts';
import { toFiles } from './course-files.ts';
import { editorMessages } from './editor-messages.ts';
import { type Edited, readContent, readEdited, redirectOnConflict, toEditorPath, toId } from './editor-reading.ts';
import { findingsList } from './findings.ts';
import { compareSteps, type StepDifference } from './step-differences.ts';

/** Adds the pages on which a draft is published or discarded. */
export function addPublishPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/courses/:courseId/editor/publish', (req, res) => askToPublish(runs, req, res));
  pages.post('/courses/:courseId/editor/publish', (req, res) => finish(runs, req, res, 'publishCourseContent'));
  pages.get('/courses/:courseId/editor/discard', (req, res) => askToDiscard(runs, req, res));
  pages.post('/courses/:courseId/editor/discard', (req, res) => finish(runs, req, res, 'discardCourseContentDraft'));
}

/** @throws {ApiError} `not_found` if the course has no draft */
async function readDraft(runs: ConsoleRuns, req: Request, res: Response): Promise<Edited> {
  const edited = await readEdited(runs, req, res);
  if (!edited.content.hasDraft) throw notFound('page');
  return edited;
}

async function askToPublish(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'publishCourseContent');
  const edited = await readDraft(runs, req, res);
  const courseId = edited.course.id;
  const published = await readContent(runs, res, courseId, true);
  const before = published ? toFiles(published) : new Map<string, string>();
  const differences = compareSteps(before, edited.files, edited.languages);
  const report = await runs.page('getCourseReport', caller, { courseId, includeRetired: true });
  const { startedCount = 0, finishedCount = 0 } = report.items[0] ?? {};
  const texts = editorMessages[language];
  const about = html`
    <h2>${texts.changes}</h2>
    ${differencesList(differences, language)}
    <p>${texts.underWay(Math.max(startedCount - finishedCount, 0))}</p>
    <p>${texts.finished(finishedCount)}</p>
  `;
  const findings = findingsList(edited.content.findings, language);
  const content = findings
    ? html`${findings} ${about}
        <p><a href=${toEditorPath(courseId)}>${texts.keep}</a></p>`
    : ask(res, edited, { about, action: 'publish' });
  const call = { operationId: 'publishCourseContent', path: { courseId } } as const;
  sendConsolePage(res, { title: texts.publishTitle, content: html`${content} ${apiCalls([call], language)}` });
}

function differencesList(differences: readonly StepDifference[], language: keyof typeof editorMessages): Html {
  const texts = editorMessages[language];
  if (differences.length === 0) return html`<p>${texts.noChanges}</p>`;
  const item = ({ step, kind }: StepDifference) =>
    html`<li>${texts[step.kind]}: <bdi>${step.title}</bdi> (${texts.changeKinds[kind]})</li>`;
  return html`<ul>
    ${differences.map(item)}
  </ul>`;
}

async function askToDiscard(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  requireCall(caller, 'discardCourseContentDraft');
  const edited = await readDraft(runs, req, res);
  const texts = editorMessages[language];
  const content = ask(res, edited, { about: texts.discardAbout, action: 'discard' });
  sendConsolePage(res, { title: texts.discardTitle, content });
}

function ask(
  res: Response,
  { course, version }: Edited,
  { about, action }: { about: Html | string; action: 'publish' | 'discard' },
): Html {
  const { language, formToken } = getAdmin(res);
  const texts = editorMessages[language];
  return confirmation({
    about,
    action: toEditorPath(course.id, `/${action}`),
    hidden: html`${hiddenFields(formToken, newFormName())} <input type="hidden" name="version" value=${version} />`,
    button: texts[action],
    keep: { href: toEditorPath(course.id), text: texts.keep },
  });
}

async function finish(
  runs: ConsoleRuns,
  req: Request,
  res: Response,
  operationId: 'publishCourseContent' | 'discardCourseContentDraft',
): Promise<void> {
  const courseId = toId(req);
  const form = getForm(req);
  const change = { courseId, ifMatch: toIfMatch(form.get('version') ?? '') };
  try {
    await runs.run(operationId, getAdmin(res).caller, change, form.get('once') ?? '');
    const notice = operationId === 'publishCourseContent' ? 'published' : 'discarded';
    redirectWithNotice(res, toEditorPath(courseId), notice);
  } catch (thrown) {
    // Somebody has published or discarded the draft, or saved one with findings.
    const { code } = publicError(thrown);
    if (code === 'no_draft' || code === 'invalid_request' || code === 'not_found')
      return redirectWithNotice(res, toEditorPath(courseId), 'conflict');
    redirectOnConflict(res, courseId, thrown);
  }
}
