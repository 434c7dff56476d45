import type { Language } from '../../../contract/languages.ts';

/** Texts that surround the content of an exported course. `player.js` replaces the words in braces. */
export interface ExportMessages {
  language: string;
  facts: string;
  begin: string;
  goOn: string;
  underWay: string;
  steps: string;
  question: string;
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
  passed: string;
  failed: string;
  finished: string;
  again: string;
  againLater: string;
  readAgain: string;
  leave: string;
  closeNow: string;
  notConnected: string;
  notSaved: string;
  mail: string;
  from: string;
  to: string;
  date: string;
  subject: string;
  attachment: string;
  headers: string;
  markAll: string;
  markSome: string;
  seeAddresses: string;
  harmless: string;
  markLink: string;
  warningSign: string;
  harmlessPart: string;
  marked: string;
  whatNow: string;
  goodEnd: string;
  badEnd: string;
  channels: string;
  forwardTo: string;
  call: string;
  noChannels: string;
}

export const exportMessages: Record<Language, ExportMessages> = {
  en: {
    language: 'Language',
    facts: 'About {minutes} minutes. To pass, answer {passMark}% of the questions correctly.',
    begin: 'Begin',
    goOn: 'Continue',
    underWay: 'You have done {done} of {total} parts.',
    steps: 'Part {place} of {total}',
    question: 'Question {number}',
    chooseMany: 'Choose all the right answers.',
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
    passed: 'You passed with {score}%. You needed {passMark}%.',
    failed: 'You scored {score}%. You need {passMark}% to pass.',
    finished: 'You have finished the course.',
    again: 'Try again',
    againLater: 'To try again, close this course and open it again on your learning platform.',
    readAgain: 'Read it again',
    leave: 'Return to the learning platform',
    closeNow: 'Your result is reported to the learning platform. You can close this course now.',
    notConnected: 'This course is not connected to a learning platform, so your result is not recorded.',
    notSaved:
      'The learning platform did not accept the last report. Check your connection before you close this course.',
    mail: 'Email to inspect',
    from: 'From:',
    to: 'To:',
    date: 'Date:',
    subject: 'Subject:',
    attachment: 'Attachment:',
    headers: 'All headers',
    markAll: 'Mark every part that gives the email away, and no other, or say that it is harmless.',
    markSome: 'Mark at least {count} parts that give the email away, and no other, or say that it is harmless.',
    seeAddresses: 'Below each link is the address to which it really leads.',
    harmless: 'Nothing is wrong with this email.',
    markLink: 'Mark the link',
    warningSign: 'Warning sign',
    harmlessPart: 'Harmless',
    marked: 'you marked it',
    whatNow: 'What do you do now?',
    goodEnd: 'This ended well.',
    badEnd: 'This did not end well.',
    channels: 'How you report a message',
    forwardTo: 'Forward it to',
    call: 'Call',
    noChannels: 'Ask your IT or security team how you report a message, before you need it.',
  },
  de: {
    language: 'Sprache',
    facts: 'Etwa {minutes} Minuten. Sie bestehen mit {passMark} % der Fragen.',
    begin: 'Beginnen',
    goOn: 'Weitermachen',
    underWay: 'Sie haben {done} von {total} Teilen bearbeitet.',
    steps: 'Teil {place} von {total}',
    question: 'Frage {number}',
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
    passed: 'Sie haben mit {score} % bestanden. Nötig waren {passMark} %.',
    failed: 'Sie haben {score} % erreicht. Zum Bestehen sind {passMark} % nötig.',
    finished: 'Sie haben den Kurs abgeschlossen.',
    again: 'Noch einmal versuchen',
    againLater:
      'Um es noch einmal zu versuchen, schließen Sie diesen Kurs und öffnen Sie ihn erneut auf Ihrer Lernplattform.',
    readAgain: 'Noch einmal lesen',
    leave: 'Zurück zur Lernplattform',
    closeNow: 'Ihr Ergebnis ist an die Lernplattform gemeldet. Sie können diesen Kurs jetzt schließen.',
    notConnected: 'Dieser Kurs ist mit keiner Lernplattform verbunden. Ihr Ergebnis wird deshalb nicht aufgezeichnet.',
    notSaved:
      'Die Lernplattform hat die letzte Meldung nicht angenommen. Prüfen Sie Ihre Verbindung, bevor Sie diesen Kurs schließen.',
    mail: 'E-Mail zum Prüfen',
    from: 'Von:',
    to: 'An:',
    date: 'Datum:',
    subject: 'Betreff:',
    attachment: 'Anhang:',
    headers: 'Alle Kopfzeilen',
    markAll:
      'Markieren Sie alle Stellen, die die E-Mail verraten, und keine anderen, oder geben Sie an, dass sie harmlos ist.',
    markSome:
      'Markieren Sie mindestens {count} Stellen, die die E-Mail verraten, und keine anderen, oder geben Sie an, dass sie harmlos ist.',
    seeAddresses: 'Unter jedem Link steht die Adresse, zu der er wirklich führt.',
    harmless: 'Mit dieser E-Mail ist alles in Ordnung.',
    markLink: 'Link markieren',
    warningSign: 'Warnzeichen',
    harmlessPart: 'Harmlos',
    marked: 'von Ihnen markiert',
    whatNow: 'Was tun Sie jetzt?',
    goodEnd: 'Das ist gut ausgegangen.',
    badEnd: 'Das ist nicht gut ausgegangen.',
    channels: 'So melden Sie eine Nachricht',
    forwardTo: 'Weiterleiten an',
    call: 'Anrufen',
    noChannels: 'Fragen Sie Ihr IT- oder Sicherheitsteam, wie Sie eine Nachricht melden, bevor Sie es brauchen.',
  },
  fr: {
    language: 'Langue',
    facts: 'Environ {minutes} minutes. Vous réussissez avec {passMark} % des questions.',
    begin: 'Commencer',
    goOn: 'Continuer',
    underWay: 'Vous avez terminé {done} parties sur {total}.',
    steps: 'Partie {place} sur {total}',
    question: 'Question {number}',
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
    passed: 'Vous avez réussi avec {score} %. Il fallait {passMark} %.',
    failed: 'Vous avez obtenu {score} %. Il faut {passMark} % pour réussir.',
    finished: 'Vous avez terminé le cours.',
    again: 'Réessayer',
    againLater: 'Pour réessayer, fermez ce cours et rouvrez-le sur votre plateforme de formation.',
    readAgain: 'Relire',
    leave: 'Revenir à la plateforme de formation',
    closeNow: 'Votre résultat est transmis à la plateforme de formation. Vous pouvez fermer ce cours.',
    notConnected: 'Ce cours n’est relié à aucune plateforme de formation ; votre résultat n’est donc pas enregistré.',
    notSaved:
      'La plateforme de formation n’a pas accepté le dernier envoi. Vérifiez votre connexion avant de fermer ce cours.',
    mail: 'Courriel à examiner',
    from: 'De :',
    to: 'À :',
    date: 'Date :',
    subject: 'Objet :',
    attachment: 'Pièce jointe :',
    headers: 'Tous les en-têtes',
    markAll: 'Cochez tout ce qui trahit le courriel, et rien d’autre, ou indiquez qu’il est inoffensif.',
    markSome:
      'Cochez au moins {count} éléments qui trahissent le courriel, et rien d’autre, ou indiquez qu’il est inoffensif.',
    seeAddresses: 'Sous chaque lien figure l’adresse à laquelle il mène vraiment.',
    harmless: 'Ce courriel ne présente rien de suspect.',
    markLink: 'Cocher le lien',
    warningSign: 'Signe d’alerte',
    harmlessPart: 'Inoffensif',
    marked: 'coché par vous',
    whatNow: 'Que faites-vous maintenant ?',
    goodEnd: 'Cela s’est bien terminé.',
    badEnd: 'Cela s’est mal terminé.',
    channels: 'Comment signaler un message',
    forwardTo: 'Transférer à',
    call: 'Appeler',
    noChannels: 'Demandez à l’équipe informatique ou sécurité comment signaler un message, avant d’en avoir besoin.',
  },
};

export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', de: 'Deutsch', fr: 'Français' };
