import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { type Language, LANGUAGES } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import {
  choicesField,
  fileField,
  type FieldValues,
  formFault,
  hiddenFields,
  renderDay,
  selectField,
  textField,
} from '../../shared/parts/fields.ts';
import { facts } from '../../shared/parts/tiles.ts';
import { LANGUAGE_NAMES } from '../../shared/player/player-messages.ts';
import { canCall } from '../admin.ts';
import { type FormFaults, toFormFaults } from '../form-faults.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { coursesMessages } from './courses-messages.ts';
import { COURSES_PATH, toCoursePath } from './courses-page.ts';
import { listFindings, renderNotices } from './package-findings.ts';
import { packageMessages } from './package-messages.ts';

const MIB = 1024 * 1024;

export interface PackageView {
  language: Language;
  caller: Pick<Caller, 'scopes'>;
  course: Pick<Schemas['Course'], 'id'>;
  /** The SCORM package; undefined if the course has none. */
  scorm: Schemas['CoursePackage'] | undefined;
}

/** Renders the findings about the package of a company's own course, and the possible actions. */
export function packageContent({ course, scorm, caller, language }: PackageView): Html {
  const messages = packageMessages[language];
  const { number } = getFormats(language);
  const link = (rest: string, text: string) =>
    html`<a class="button quiet" href=${toCoursePath(course.id, rest)}>${text}</a>${' '}`;
  const mebibytes = (bytes: number) => `${number(Math.ceil((bytes / MIB) * 10) / 10)} MiB`;
  return html`<h2>${messages.title}</h2>
    ${
      scorm
        ? html`<p>${messages.about}</p>
            ${facts([
              [messages.standard, messages.standards[scorm.standard] ?? scorm.standard],
              ...listFindings(scorm, language),
              [messages.packageTitle, html`<bdi>${scorm.title ?? coursesMessages[language].noValue}</bdi>`],
              [messages.launch, html`<code>${scorm.launchPath}</code>`],
              [messages.file, html`<bdi>${scorm.fileName ?? coursesMessages[language].noValue}</bdi>`],
              [messages.size, `${mebibytes(scorm.sizeBytes)} (${mebibytes(scorm.unpackedBytes)})`],
              [messages.files, number(scorm.fileCount)],
              [messages.uploadedOn, renderDay(scorm.uploadedAt, language, '–')],
              [messages.sha256, html`<code>${scorm.sha256}</code>`],
            ])}
            ${renderNotices(scorm, language)}`
        : html`<p>${messages.none}</p>`
    }
    <details>
      <summary>${messages.limitsTitle}</summary>
      <ul>
        ${messages.limits.map((limit) => html`<li>${limit}</li>`)}
      </ul>
    </details>
    <p>
      ${canCall(caller, 'uploadCoursePackage') && link('/package', scorm ? messages.replace : messages.upload)}
      ${scorm && canCall(caller, 'deleteCoursePackage') && link('/package/delete', messages.remove)}
      ${canCall(caller, 'deleteCourse') && link('/delete', messages.deleteCourse)}
    </p>`;
}

interface FormView {
  language: Language;
  formToken: string;
  once: string;
  faults: FormFaults;
}

/** Renders the form for the package of a course. */
export function packageForm({ language, formToken, once, faults }: FormView, courseId: string): Html {
  const messages = packageMessages[language];
  const { fileLabel: label, fileHint: hint } = messages;
  const also = { accept: 'application/zip,.zip', required: true };
  return html`
    ${formFault(faults.whole)}
    <form method="post" action=${toCoursePath(courseId, '/package')} enctype="multipart/form-data">
      ${hiddenFields(formToken, once)} ${fileField({ name: 'file', label, hint, also }, faults.fields)}
      <button type="submit">${messages.upload}</button>
    </form>
    <ul>
      ${messages.limits.map((limit) => html`<li>${limit}</li>`)}
    </ul>
    <p><a href=${toCoursePath(courseId)}>${messages.keep}</a></p>
    ${apiCalls([{ operationId: 'uploadCoursePackage', path: { courseId } }], language)}
  `;
}

export const COURSE_FIELDS = ['name', 'displayName', 'subject', 'difficulty', 'passMark', 'locales'] as const;

/** Renders the form of a new course. */
export function newCourseForm(view: FormView & { typed: FieldValues; locales: readonly string[] }): Html {
  const { language, formToken, once, faults, typed } = view;
  const messages = packageMessages[language];
  const text = (name: string, label: string, also: Record<string, string | boolean>, hint?: string) =>
    textField({ name, label, also, ...(hint !== undefined && { hint }) }, typed, faults.fields);
  const levels = ['1', '2', '3', '4', '5'].map((one) => [one, one] as const);
  const languages = LANGUAGES.map((one) => [one, LANGUAGE_NAMES[one]] as const);
  return html`
    <p>${messages.newAbout}</p>
    ${formFault(faults.whole)}
    <form method="post" action=${`${COURSES_PATH}/new`}>
      ${hiddenFields(formToken, once)}
      ${text('displayName', messages.displayName, { required: true, maxlength: '200' })}
      ${text('name', messages.name, { required: true, maxlength: '200' }, messages.nameHint)}
      ${text('subject', messages.subject, { required: true, maxlength: '200' })}
      ${selectField({ name: 'difficulty', label: messages.difficulty, options: levels }, typed, faults.fields)}
      ${text('passMark', messages.passMark, { type: 'number', min: '0', max: '100', required: true })}
      ${choicesField({ name: 'locales', label: messages.languages, options: languages }, view.locales, faults.fields)}
      <button type="submit">${messages.save}</button>
    </form>
    <p><a href=${COURSES_PATH}>${coursesMessages[language].back}</a></p>
    ${apiCalls([{ operationId: 'createCourse' }], language)}
  `;
}

/** Messages of the API about a package. */
const FAULTS: readonly (readonly [
  RegExp,
  Exclude<keyof typeof packageMessages.en.faults, 'fileMissing' | 'tooLarge'>,
])[] = [
  [/ is encrypted\.$/, 'encrypted'],
  [/ (is not a readable ZIP file|is damaged)\.$/, 'unreadable'],
  [/ has (no imsmanifest\.xml|its imsmanifest\.xml in a folder)/, 'noManifest'],
  [/ names no supported version/, 'version'],
];

/**
 * Converts the error of an upload to faults of the form.
 * @throws {unknown} the given error, if the form cannot show it
 */
export function toPackageFaults(thrown: unknown, language: Language): FormFaults {
  const messages = packageMessages[language];
  const { code, message, details } = publicError(thrown);
  const ofFile = (file: string): FormFaults => ({ fields: { file }, whole: undefined });
  if (code === 'payload_too_large') return ofFile(messages.faults.tooLarge);
  if (code === 'invalid_file') {
    const kind = FAULTS.find(([pattern]) => pattern.test(message))?.[1];
    return ofFile(kind ? messages.faults[kind] : messages.refused(message));
  }
  if (details.some(({ field }) => field === 'body/file')) return ofFile(messages.faults.fileMissing);
  return toFormFaults(thrown, [], language);
}

/** Converts the error of a new course to faults of the form. */
export function toCourseFaults(thrown: unknown, language: Language): FormFaults {
  const messages = packageMessages[language];
  const faults = toFormFaults(thrown, COURSE_FIELDS, language);
  const own = { passMark: messages.passMarkFault, locales: messages.languagesFault };
  const fields = Object.entries(faults.fields).map(([name, fault]) => [name, own[name as keyof typeof own] ?? fault]);
  return { ...faults, fields: Object.fromEntries(fields) as FormFaults['fields'] };
}
