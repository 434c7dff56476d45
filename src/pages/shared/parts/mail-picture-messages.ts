import type { Language } from '../../../contract/languages.ts';

/** Texts around the picture of an email. */
export interface MailPictureMessages {
  /** The accessible name of the picture. */
  mail: string;
  from: string;
  subject: string;
  date: string;
  attachment: string;
  /** The text on cues about the email as a whole. */
  unmarked: string;
  /** The name of the link from a cue back to its mark. */
  toMark(number: number): string;
}

export const mailPictureMessages: Record<Language, MailPictureMessages> = {
  en: {
    mail: 'The message',
    from: 'From',
    subject: 'Subject',
    date: 'Date',
    attachment: 'Attachment',
    unmarked: 'About the whole message:',
    toMark: (number) => `Mark ${number} in the message`,
  },
  de: {
    mail: 'Die Nachricht',
    from: 'Von',
    subject: 'Betreff',
    date: 'Datum',
    attachment: 'Anhang',
    unmarked: 'Zur Nachricht als Ganzes:',
    toMark: (number) => `Markierung ${number} in der Nachricht`,
  },
  fr: {
    mail: 'Le message',
    from: 'De',
    subject: 'Objet',
    date: 'Date',
    attachment: 'Pièce jointe',
    unmarked: 'Sur le message dans son ensemble :',
    toMark: (number) => `Repère ${number} dans le message`,
  },
};
