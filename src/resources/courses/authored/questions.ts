import { createAjv } from '../../../contract/ajv.ts';
import type { Fault, QuestionKind } from './course.ts';
import { judgeMail, serializeParts, type WrittenMail } from './mail.ts';
import { NAME, readYaml, TEXT } from './manifest.ts';
import { judgeScenes } from './scenario.ts';

/** An entry of `questions.yaml`, with defaults for the fields that its kind does not have. */
export interface WrittenQuestion {
  id: string;
  lesson?: string;
  subject?: string;
  pool?: string;
  kind: QuestionKind;
  case?: string;
  ask: string;
  atLeast?: number;
  /** Answers; the answers of an email have no text. */
  answers: { id: string; text?: string; right: boolean; because: string }[];
  mail?: WrittenMail;
  scenes: WrittenScene[];
}

export interface WrittenScene {
  id: string;
  text: string;
  end: 'good' | 'bad' | null;
  choices: { id: string; text: string; to: string }[];
}

const closed = (required: string[], properties: object) => {
  return { type: 'object', additionalProperties: false, required, properties };
};
const listSchema = (items: object, minItems: number, maxItems: number) => ({
  type: 'array',
  minItems,
  maxItems,
  items,
});

const answer = (fields: object) =>
  closed(['id', ...Object.keys(fields), 'right', 'because'], {
    ...{ id: NAME, ...fields, right: { type: 'boolean' }, because: TEXT },
  });

const mailSchema = closed(['from', 'to', 'date', 'subject', 'body'], {
  from: closed(['name', 'address'], { name: TEXT, address: TEXT }),
  ...{ to: TEXT, date: TEXT, subject: TEXT, attachment: TEXT },
  headers: listSchema(closed(['name', 'value'], { id: NAME, name: TEXT, value: TEXT }), 1, 10),
  body: listSchema(closed(['text'], { id: NAME, text: TEXT, address: TEXT }), 1, 20),
});

const choiceSchema = closed(['id', 'text', 'to'], { id: NAME, text: TEXT, to: NAME });
const sceneSchema = closed(['id', 'text'], {
  ...{ id: NAME, text: TEXT, end: { enum: ['good', 'bad'] } },
  choices: listSchema(choiceSchema, 1, 6),
});

const ofKind = (kind: QuestionKind, fields: Record<string, object>, optional: Record<string, object> = {}) =>
  closed(['id', 'kind', 'ask', ...Object.keys(fields)], {
    ...{ id: NAME, lesson: NAME, subject: NAME, pool: NAME, kind: { const: kind }, case: TEXT, ask: TEXT },
    ...fields,
    ...optional,
  });
const textAnswers = { answers: listSchema(answer({ text: TEXT }), 2, 10) };

const KINDS: Record<QuestionKind, object> = {
  one: ofKind('one', textAnswers),
  many: ofKind('many', textAnswers),
  mail: ofKind(
    'mail',
    { mail: mailSchema, answers: listSchema(answer({}), 2, 30) },
    { atLeast: { type: 'integer', minimum: 1 } },
  ),
  scenario: ofKind('scenario', { scenes: listSchema(sceneSchema, 3, 40) }),
};

// The discriminator validates each question only against the schema of its kind, so that errors name fields of that
// kind.
const questionsSchema = listSchema(
  {
    type: 'object',
    required: ['kind'],
    properties: { kind: { enum: Object.keys(KINDS) } },
    discriminator: { propertyName: 'kind' },
    oneOf: Object.values(KINDS),
  },
  ...([1, 100] as const),
);

type ReadQuestion = Omit<WrittenQuestion, 'answers' | 'scenes'> & {
  answers?: WrittenQuestion['answers'];
  scenes?: { id: string; text: string; end?: 'good' | 'bad'; choices?: WrittenScene['choices'] }[];
};

const areQuestions = createAjv({ allErrors: true, discriminator: true }).compile<ReadQuestion[]>(questionsSchema);

/** Reads a `questions.yaml`. Returns undefined if it is malformed. */
export function readQuestions(file: string, text: string, faults: Fault[]): WrittenQuestion[] | undefined {
  const read = readYaml(file, text, areQuestions, faults);
  const questions = read?.map(({ answers = [], scenes = [], ...question }) => ({
    ...question,
    answers,
    scenes: scenes.map(({ end = null, choices = [], ...scene }) => ({ ...scene, end, choices })),
  }));
  questions?.forEach((question, index) => {
    const report = (place: string, words: string) =>
      faults.push({ file, place: `${index}/${place}`, message: `${words} (${question.id})` });
    judgeQuestion(question, report);
    const before = questions.findIndex(({ id }) => id === question.id);
    if (before < index) report('id', `question ${before} has the same id`);
  });
  return questions;
}

function judgeQuestion(question: WrittenQuestion, report: (place: string, message: string) => void): void {
  const { kind, answers, mail, scenes } = question;
  const rights = answers.filter(({ right }) => right).length;
  if (kind === 'one' && rights !== 1) report('answers', `exactly one answer must be right, not ${rights}`);
  if (kind === 'many' && rights === 0) report('answers', 'at least one answer must be right');
  if (new Set(answers.map(({ id }) => id)).size < answers.length) report('answers', 'two answers have the same id');
  if (mail) judgeMail({ ...question, mail }, report);
  if (kind === 'scenario') judgeScenes(scenes, report);
}

/** Serializes the parts of a question that all languages must share. */
export function serializeShape(question: WrittenQuestion): string {
  const { id, kind, lesson, subject, pool, atLeast, answers, mail, scenes } = question;
  return JSON.stringify([
    ...[id, kind, lesson, subject, pool, atLeast],
    answers.map((answer) => [answer.id, answer.right]),
    serializeParts(mail),
    scenes.map((scene) => [scene.id, scene.end, scene.choices.map((choice) => [choice.id, choice.to])]),
  ]);
}
