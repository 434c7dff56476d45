import type { Language } from '../../../contract/languages.ts';

/** Header fields that every email can have. */
export type MailPart = 'from' | 'to' | 'date' | 'subject' | 'attachment';

/** Messages of emails to inspect, scenarios and reporting channels. */
export interface PracticeMessages {
  mail: string;
  parts: Record<MailPart, string>;
  headers: string;
  /** @param atLeast number of parts to find; null for all */
  howToMark(atLeast: number | null): string;
  howToSeeAddresses: string;
  harmless: string;
  markLink: string;
  cue(isRight: boolean): string;
  marked: string;
  whatNow: string;
  goodEnd: string;
  badEnd: string;
  firstEndCounts: string;
  playAgain: string;
  replay: string;
  channels: string;
  forwardTo: string;
  call: string;
  noChannels: string;
}

export const practiceMessages: Record<Language, PracticeMessages> = {
  en: {
    mail: 'Email to inspect',
    parts: { from: 'From:', to: 'To:', date: 'Date:', subject: 'Subject:', attachment: 'Attachment:' },
    headers: 'Show all headers',
    howToMark: (atLeast) =>
      atLeast === null
        ? 'Mark every part that gives the email away, and no other, or say that it is harmless.'
        : `Mark at least ${atLeast} parts that give the email away, and no other, or say that it is harmless.`,
    howToSeeAddresses: 'To see where a link really leads, rest the pointer on it, move the focus to it or tap it.',
    harmless: 'Nothing is wrong with this email.',
    markLink: 'Mark the link',
    cue: (isRight) => (isRight ? 'Warning sign' : 'Harmless'),
    marked: 'you marked it',
    whatNow: 'What do you do now?',
    goodEnd: 'This ended well.',
    badEnd: 'This did not end well.',
    firstEndCounts:
      'The ending that you reached first counts for your result. You can play it again to see other endings.',
    playAgain: 'Play it again',
    replay: 'You are playing again. Your result will not change.',
    channels: 'How you report a message',
    forwardTo: 'Forward it to',
    call: 'Call',
    noChannels:
      'Your company has not said here how to report a message. Ask your IT or security team, before you need it.',
  },
  de: {
    mail: 'E-Mail zum Prüfen',
    parts: { from: 'Von:', to: 'An:', date: 'Datum:', subject: 'Betreff:', attachment: 'Anhang:' },
    headers: 'Alle Kopfzeilen anzeigen',
    howToMark: (atLeast) =>
      atLeast === null
        ? 'Markieren Sie alle Stellen, die die E-Mail verraten, und keine anderen, oder geben Sie an, dass sie harmlos ist.'
        : `Markieren Sie mindestens ${atLeast} Stellen, die die E-Mail verraten, und keine anderen, oder geben Sie an, dass sie harmlos ist.`,
    howToSeeAddresses:
      'Um zu sehen, wohin ein Link wirklich führt, zeigen Sie mit der Maus darauf, setzen Sie den Fokus darauf oder tippen Sie ihn an.',
    harmless: 'Mit dieser E-Mail ist alles in Ordnung.',
    markLink: 'Link markieren',
    cue: (isRight) => (isRight ? 'Warnzeichen' : 'Harmlos'),
    marked: 'von Ihnen markiert',
    whatNow: 'Was tun Sie jetzt?',
    goodEnd: 'Das ist gut ausgegangen.',
    badEnd: 'Das ist nicht gut ausgegangen.',
    firstEndCounts:
      'Für Ihr Ergebnis zählt das Ende, das Sie zuerst erreicht haben. Sie können noch einmal spielen, um andere Enden zu sehen.',
    playAgain: 'Noch einmal spielen',
    replay: 'Sie spielen noch einmal. Ihr Ergebnis bleibt, wie es ist.',
    channels: 'So melden Sie eine Nachricht',
    forwardTo: 'Weiterleiten an',
    call: 'Anrufen',
    noChannels:
      'Ihr Unternehmen hat hier nicht hinterlegt, wie Sie eine Nachricht melden. Fragen Sie Ihr IT- oder Sicherheitsteam, bevor Sie es brauchen.',
  },
  fr: {
    mail: 'Courriel à examiner',
    parts: { from: 'De :', to: 'À :', date: 'Date :', subject: 'Objet :', attachment: 'Pièce jointe :' },
    headers: 'Afficher tous les en-têtes',
    howToMark: (atLeast) =>
      atLeast === null
        ? 'Cochez tout ce qui trahit le courriel, et rien d’autre, ou indiquez qu’il est inoffensif.'
        : `Cochez au moins ${atLeast} éléments qui trahissent le courriel, et rien d’autre, ou indiquez qu’il est inoffensif.`,
    howToSeeAddresses:
      'Pour voir où mène vraiment un lien, placez le pointeur dessus, donnez-lui le focus ou touchez-le.',
    harmless: 'Ce courriel ne présente rien de suspect.',
    markLink: 'Cocher le lien',
    cue: (isRight) => (isRight ? 'Signe d’alerte' : 'Inoffensif'),
    marked: 'coché par vous',
    whatNow: 'Que faites-vous maintenant ?',
    goodEnd: 'Cela s’est bien terminé.',
    badEnd: 'Cela s’est mal terminé.',
    firstEndCounts:
      'La première fin que vous avez atteinte compte pour votre résultat. Vous pouvez rejouer pour voir d’autres fins.',
    playAgain: 'Rejouer',
    replay: 'Vous rejouez. Votre résultat ne change pas.',
    channels: 'Comment signaler un message',
    forwardTo: 'Transférer à',
    call: 'Appeler',
    noChannels:
      'Votre entreprise n’a pas indiqué ici comment signaler un message. Demandez à l’équipe informatique ou sécurité avant d’en avoir besoin.',
  },
};
