import type { Language } from '../../../contract/languages.ts';

/** Messages of course pages, around the text of the course itself. */
export interface PlayerMessages {
  language: string;
  facts(minutes: number, passMark: number): string;
  begin: string;
  goOn: string;
  underWay(done: number, total: number): string;
  complete: string;
  handIn: string;
  /** @param score null if the course was finished elsewhere without a score */
  passed(score: string | null, passMark: number): string;
  failed(score: string | null, passMark: number): string;
  measured(score: string): string;
  again: string;
  againHow: string;
  readAgain: string;
  finishedOn(date: string): string;
  retired: string;
  notEnrolledTitle: string;
  notEnrolled: string;
  elsewhere: string;
  toElsewhere: string;
  steps(place: number, total: number): string;
  question(number: number): string;
  chooseMany: string;
  answer: string;
  next: string;
  back: string;
  toResult: string;
  unanswered: string;
  right: string;
  wrong: string;
  rightAnswer: string;
  wrongAnswer: string;
  yours: string;
  notAnswered: string;
  subject: string;
  rightAnswers: string;
  share(right: number, total: number): string;
  staleTitle: string;
  stale: string;
}

export const playerMessages: Record<Language, PlayerMessages> = {
  en: {
    language: 'Language',
    facts: (minutes, passMark) => `About ${minutes} minutes. To pass, answer ${passMark}% of the questions correctly.`,
    begin: 'Begin',
    goOn: 'Continue',
    underWay: (done, total) => `You have done ${done} of ${total} parts. Your answers are saved.`,
    complete: 'You have answered everything.',
    handIn: 'Save my result',
    passed: (score, passMark) =>
      score === null ? 'You have passed.' : `You passed with ${score}%. You needed ${passMark}%.`,
    failed: (score, passMark) =>
      score === null ? 'You have not passed.' : `You scored ${score}%. You need ${passMark}% to pass.`,
    measured: (score) =>
      `You answered ${score}% of the questions correctly. Nobody needs to know everything: the result shows what is worth learning next.`,
    again: 'Try again',
    againHow: 'You can try again at once, and as often as you like. You will see all lessons and questions again.',
    readAgain: 'Read it again',
    finishedOn: (date) => `Finished on ${date}.`,
    retired: 'This course is no longer offered. You have nothing to do.',
    notEnrolledTitle: 'You are not enrolled in this course',
    notEnrolled: 'If you would like to take it, ask those who organise training at your company.',
    elsewhere: 'You take this course on your company’s learning platform, not here.',
    toElsewhere: 'Go to the learning platform',
    steps: (place, total) => `Part ${place} of ${total}`,
    question: (number) => `Question ${number}`,
    chooseMany: 'Choose all the correct answers.',
    answer: 'Answer',
    next: 'Next',
    back: 'Back',
    toResult: 'See your result',
    unanswered: 'Please choose an answer.',
    right: 'That is right.',
    wrong: 'That is not quite right.',
    rightAnswer: 'Right',
    wrongAnswer: 'Not right',
    yours: 'your choice',
    notAnswered: 'You have not answered this question. It might have changed since.',
    subject: 'Subject',
    rightAnswers: 'Right answers',
    share: (right, total) => `${right} of ${total}`,
    staleTitle: 'This page is out of date',
    stale:
      'The course was restarted in another window, or has changed in the meantime. Nothing is lost: continue where you are.',
  },
  de: {
    language: 'Sprache',
    facts: (minutes, passMark) => `Etwa ${minutes} Minuten. Sie bestehen mit ${passMark} % der Fragen.`,
    begin: 'Beginnen',
    goOn: 'Weitermachen',
    underWay: (done, total) => `Sie haben ${done} von ${total} Teilen bearbeitet. Ihre Antworten sind gespeichert.`,
    complete: 'Sie haben alles beantwortet.',
    handIn: 'Ergebnis speichern',
    passed: (score, passMark) =>
      score === null ? 'Sie haben bestanden.' : `Sie haben mit ${score} % bestanden. Nötig waren ${passMark} %.`,
    failed: (score, passMark) =>
      score === null
        ? 'Sie haben nicht bestanden.'
        : `Sie haben ${score} % erreicht. Zum Bestehen sind ${passMark} % nötig.`,
    measured: (score) =>
      `Sie haben ${score} % der Fragen richtig beantwortet. Niemand muss alle wissen: Das Ergebnis zeigt, was sich als Nächstes zu lernen lohnt.`,
    again: 'Noch einmal versuchen',
    againHow:
      'Sie können es sofort noch einmal versuchen, so oft Sie möchten. Alle Lektionen und Fragen kommen dann noch einmal.',
    readAgain: 'Noch einmal lesen',
    finishedOn: (date) => `Abgeschlossen am ${date}.`,
    retired: 'Dieser Kurs wird nicht mehr angeboten. Sie müssen nichts tun.',
    notEnrolledTitle: 'Sie sind für diesen Kurs nicht eingeschrieben',
    notEnrolled:
      'Wenden Sie sich an die Verantwortlichen für Schulungen in Ihrem Unternehmen, wenn Sie ihn belegen möchten.',
    elsewhere: 'Diesen Kurs belegen Sie auf der Lernplattform Ihres Unternehmens und nicht hier.',
    toElsewhere: 'Zur Lernplattform',
    steps: (place, total) => `Teil ${place} von ${total}`,
    question: (number) => `Frage ${number}`,
    chooseMany: 'Wählen Sie alle richtigen Antworten.',
    answer: 'Antworten',
    next: 'Weiter',
    back: 'Zurück',
    toResult: 'Zu Ihrem Ergebnis',
    unanswered: 'Bitte wählen Sie eine Antwort.',
    right: 'Das ist richtig.',
    wrong: 'Das ist nicht ganz richtig.',
    rightAnswer: 'Richtig',
    wrongAnswer: 'Nicht richtig',
    yours: 'Ihre Wahl',
    notAnswered: 'Sie haben diese Frage nicht beantwortet. Vielleicht wurde sie inzwischen geändert.',
    subject: 'Thema',
    rightAnswers: 'Richtige Antworten',
    share: (right, total) => `${right} von ${total}`,
    staleTitle: 'Diese Seite ist veraltet',
    stale:
      'Der Kurs wurde in einem anderen Fenster neu begonnen oder inzwischen geändert. Nichts ist verloren: Machen Sie dort weiter, wo Sie sind.',
  },
  fr: {
    language: 'Langue',
    facts: (minutes, passMark) => `Environ ${minutes} minutes. Vous réussissez avec ${passMark} % des questions.`,
    begin: 'Commencer',
    goOn: 'Continuer',
    underWay: (done, total) => `Vous avez terminé ${done} parties sur ${total}. Vos réponses sont enregistrées.`,
    complete: 'Vous avez répondu à tout.',
    handIn: 'Enregistrer mon résultat',
    passed: (score, passMark) =>
      score === null ? 'Vous avez réussi.' : `Vous avez réussi avec ${score} %. Il fallait ${passMark} %.`,
    failed: (score, passMark) =>
      score === null ? 'Vous n’avez pas réussi.' : `Vous avez obtenu ${score} %. Il faut ${passMark} % pour réussir.`,
    measured: (score) =>
      `Vous avez répondu correctement à ${score} % des questions. Personne n’a besoin de tout savoir : le résultat montre ce qu’il est utile d’apprendre ensuite.`,
    again: 'Réessayer',
    againHow:
      'Vous pouvez réessayer tout de suite, autant de fois que vous le souhaitez. Toutes les leçons et questions reviennent.',
    readAgain: 'Relire',
    finishedOn: (date) => `Terminé le ${date}.`,
    retired: 'Ce cours n’est plus proposé. Vous n’avez rien à faire.',
    notEnrolledTitle: 'Vous n’êtes pas inscrit(e) à ce cours',
    notEnrolled: 'Adressez-vous aux responsables de la formation de votre entreprise si vous souhaitez le suivre.',
    elsewhere: 'Vous suivez ce cours sur la plateforme de formation de votre entreprise, et non ici.',
    toElsewhere: 'Vers la plateforme de formation',
    steps: (place, total) => `Partie ${place} sur ${total}`,
    question: (number) => `Question ${number}`,
    chooseMany: 'Choisissez toutes les bonnes réponses.',
    answer: 'Répondre',
    next: 'Suivant',
    back: 'Retour',
    toResult: 'Vers votre résultat',
    unanswered: 'Veuillez choisir une réponse.',
    right: 'C’est juste.',
    wrong: 'Ce n’est pas tout à fait juste.',
    rightAnswer: 'Juste',
    wrongAnswer: 'Faux',
    yours: 'votre choix',
    notAnswered: 'Vous n’avez pas répondu à cette question. Elle a peut-être été modifiée depuis.',
    subject: 'Sujet',
    rightAnswers: 'Réponses justes',
    share: (right, total) => `${right} sur ${total}`,
    staleTitle: 'Cette page n’est plus à jour',
    stale:
      'Le cours a été recommencé dans une autre fenêtre, ou a été modifié entre-temps. Rien n’est perdu : continuez là où vous en êtes.',
  },
};

export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'Français' };
