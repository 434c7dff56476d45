import type { Language } from '../../contract/languages.ts';

export interface MyTrainingMessages {
  hello(name: string): string;
  toDo: string;
  nothingToDo: string;
  done: string;
  proposed: string;
  /** @param score the share of correct answers, in percent */
  proposal(score: number): string;
  startProposal: string;
  policies: string;
  minutes(minutes: number): string;
  due(day: string): string;
  overdue(day: string): string;
  notBegun: string;
  begun: string;
  /** @param score null if the course was finished without a score */
  failed(score: string | null): string;
  attempt(number: number): string;
  passed(score: string | null, day: string): string;
  /** Text for a course that reported neither a score nor whether the learner passed. */
  finished(day: string): string;
  measured(score: string, day: string): string;
  ended(score: string | null, day: string): string;
  toSign: string;
  signed: string;
  toRead: string;
}

export const myTrainingMessages: Record<Language, MyTrainingMessages> = {
  en: {
    hello: (name) => `Hello ${name}, this is your security awareness training.`,
    toDo: 'To do',
    nothingToDo: 'You have nothing to do. Thank you!',
    done: 'Done',
    proposed: 'Recommended for you',
    proposal: (score) => `you answered ${score}% of the questions on it correctly`,
    startProposal: 'Start this course',
    policies: 'Policies',
    minutes: (minutes) => `about ${minutes} minutes`,
    due: (day) => `due by ${day}`,
    overdue: (day) => `overdue, was due by ${day}`,
    notBegun: 'not started',
    begun: 'started; your answers are saved',
    failed: (score) => `not passed yet${score === null ? '' : `, with ${score}%`}; you can try again`,
    attempt: (number) => `attempt ${number}`,
    passed: (score, day) => `passed ${score === null ? '' : `with ${score}% `}on ${day}`,
    finished: (day) => `finished on ${day}`,
    measured: (score, day) => `${score}% correct, on ${day}`,
    ended: (score, day) => `not passed, ${score === null ? '' : `with ${score}%, `}on ${day}; no longer offered`,
    toSign: 'to read and sign',
    signed: 'signed',
    toRead: 'to read',
  },
  de: {
    hello: (name) => `Guten Tag, ${name}. Das sind Ihre Security-Awareness-Schulungen.`,
    toDo: 'Zu erledigen',
    nothingToDo: 'Es gibt nichts zu tun. Vielen Dank!',
    done: 'Erledigt',
    proposed: 'Für Sie empfohlen',
    proposal: (score) => `Sie haben ${score} % der Fragen dazu richtig beantwortet`,
    startProposal: 'Diesen Kurs beginnen',
    policies: 'Richtlinien',
    minutes: (minutes) => `etwa ${minutes} Minuten`,
    due: (day) => `fällig bis ${day}`,
    overdue: (day) => `überfällig, war bis ${day} fällig`,
    notBegun: 'noch nicht begonnen',
    begun: 'begonnen; Ihre Antworten sind gespeichert',
    failed: (score) =>
      `noch nicht bestanden${score === null ? '' : `, mit ${score} %`}; Sie können es noch einmal versuchen`,
    attempt: (number) => `${number}. Versuch`,
    passed: (score, day) => `${score === null ? '' : `mit ${score} % `}bestanden am ${day}`,
    finished: (day) => `abgeschlossen am ${day}`,
    measured: (score, day) => `${score} % richtig, am ${day}`,
    ended: (score, day) =>
      `nicht bestanden, ${score === null ? '' : `mit ${score} %, `}am ${day}; wird nicht mehr angeboten`,
    toSign: 'zu lesen und zu unterschreiben',
    signed: 'unterschrieben',
    toRead: 'zum Lesen',
  },
  fr: {
    hello: (name) => `Bonjour ${name}, voici votre formation à la sécurité.`,
    toDo: 'À faire',
    nothingToDo: 'Vous n’avez rien à faire. Merci !',
    done: 'Terminé',
    proposed: 'Recommandé pour vous',
    proposal: (score) => `vous avez répondu juste à ${score} % des questions sur ce sujet`,
    startProposal: 'Commencer ce cours',
    policies: 'Politiques',
    minutes: (minutes) => `environ ${minutes} minutes`,
    due: (day) => `à terminer le ${day} au plus tard`,
    overdue: (day) => `en retard, était à terminer le ${day} au plus tard`,
    notBegun: 'pas encore commencé',
    begun: 'commencé ; vos réponses sont enregistrées',
    failed: (score) => `pas encore réussi${score === null ? '' : `, avec ${score} %`} ; vous pouvez réessayer`,
    attempt: (number) => `tentative ${number}`,
    passed: (score, day) => `réussi ${score === null ? '' : `avec ${score} % `}le ${day}`,
    finished: (day) => `terminé le ${day}`,
    measured: (score, day) => `${score} % de réponses justes, le ${day}`,
    ended: (score, day) => `non réussi, ${score === null ? '' : `avec ${score} %, `}le ${day} ; plus proposé`,
    toSign: 'à lire et à signer',
    signed: 'signée',
    toRead: 'à lire',
  },
};
