import type { Language } from '../../../contract/languages.ts';

/** Texts of the page on which the training of a simulation begins. */
interface LinkedMessages {
  about: string;
  begin: string;
  otherTitle: string;
  otherAbout: string;
  otherOwn: string;
}

export const linkedMessages: Record<Language, LinkedMessages> = {
  en: {
    about:
      'You can begin at once, without signing in. The link in the message opens only this training, and the result counts for the person who got the message.',
    begin: 'Begin the training',
    otherTitle: 'This training belongs to somebody else',
    otherAbout:
      'You are signed in, but the message was sent to another person. Their training does not open here, so that it does not count for the wrong person.',
    otherOwn: 'Go to my own training',
  },
  de: {
    about:
      'Sie können sofort beginnen, ohne sich anzumelden. Der Link in der Nachricht öffnet nur diese Schulung, und das Ergebnis zählt für die Person, die die Nachricht bekommen hat.',
    begin: 'Schulung beginnen',
    otherTitle: 'Diese Schulung gehört zu jemand anderem',
    otherAbout:
      'Sie sind angemeldet, aber die Nachricht ging an eine andere Person. Deren Schulung öffnet sich hier nicht, damit das Ergebnis nicht bei der falschen Person landet.',
    otherOwn: 'Zu meinen eigenen Schulungen',
  },
  fr: {
    about:
      'Vous pouvez commencer tout de suite, sans vous connecter. Le lien du message n’ouvre que cette formation, et le résultat compte pour la personne qui a reçu le message.',
    begin: 'Commencer la formation',
    otherTitle: 'Cette formation est celle de quelqu’un d’autre',
    otherAbout:
      'Vous êtes connecté(e), mais le message a été envoyé à une autre personne. Sa formation ne s’ouvre pas ici, afin que le résultat ne soit pas attribué à la mauvaise personne.',
    otherOwn: 'Vers ma propre formation',
  },
};
