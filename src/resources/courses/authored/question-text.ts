import type { QuestionText } from './course.ts';
import { type FindPicture, renderCase, renderLine, type ReportFault } from './lesson.ts';
import { renderMail, renderParts } from './mail.ts';
import type { WrittenQuestion, WrittenScene } from './questions.ts';

/** Renders the texts of a question in one language. */
export function renderQuestion(question: WrittenQuestion, find: FindPicture, reportFault: ReportFault): QuestionText {
  const report: ReportFault = (words) => reportFault(`${words} (${question.id})`);
  const { mail } = question;
  const parts = mail && renderParts(mail);
  return {
    caseHtml: question.case === undefined ? null : renderCase(question.case, find, report),
    askHtml: renderLine(question.ask, report),
    answers: new Map(
      question.answers.map(({ id, text, because }) => {
        const html = text === undefined ? (parts?.get(id) ?? '') : renderLine(text, report);
        return [id, { html, becauseHtml: renderLine(because, report) }] as const;
      }),
    ),
    mail: mail ? renderMail(mail, report) : null,
    scenes: new Map(question.scenes.map((scene) => [scene.id, renderScene(scene, find, report)])),
  };
}

function renderScene({ text, choices }: WrittenScene, find: FindPicture, report: ReportFault) {
  return {
    html: renderCase(text, find, report),
    choices: new Map(choices.map((choice) => [choice.id, renderLine(choice.text, report)])),
  };
}
