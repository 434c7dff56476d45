import type { Language } from '../../contract/languages.ts';
import { type MailPictureMessages, mailPictureMessages } from '../shared/parts/mail-picture-messages.ts';

/** Texts of the landing page in addition to the template's texts. */
export interface LandingMessages {
  title(company: string): string;
  calm: string;
  messageTitle: string;
  messageAbout: string;
  mail: MailPictureMessages;
  cuesTitle: string;
  lessonTitle: string;
  /** The lesson if the template was deleted. */
  plainLesson: string;
  training: string;
  recorded(company: string): string;
  /** Text of the link that only machines see. */
  hidden: string;
  failureTitle: string;
  unknown: string;
  tooMany: string;
  stale: string;
  unavailable: string;
}

export const landingMessages: Record<Language, LandingMessages> = {
  en: {
    title: (company) => `This was a phishing simulation by ${company}`,
    calm: 'Nothing bad has happened. The message was an exercise, and nobody has attacked you.',
    messageTitle: 'The message, and what gave it away',
    messageAbout:
      'This is the message that you got. Each number marks a place where you could have noticed something, and links to the explanation.',
    mail: mailPictureMessages.en,
    cuesTitle: 'What gave it away',
    lessonTitle: 'What to remember',
    plainLesson:
      'Before you follow a link, look at who sent the message, where the link leads and why it is urgent. If in doubt, ask the sender through another channel, and report the message.',
    training: 'Go to my training',
    recorded: (company) =>
      `${company} learns from this exercise that the message or this page was opened. You cannot type anything on this page.`,
    hidden: 'For machines: people do not follow this link.',
    failureTitle: 'This page belongs to phishing simulations',
    unknown:
      'Links like this are sent in exercises. This one is incomplete, or its exercise has been removed. If it came in a message that seems odd to you, report the message.',
    tooMany: 'Too many attempts. Please wait a minute, then try again.',
    stale: 'Please open the link in the message again.',
    unavailable: 'Something is not working. Please try again in a few minutes.',
  },
  de: {
    title: (company) => `Das war eine Phishing-Simulation von ${company}`,
    calm: 'Es ist nichts Schlimmes passiert. Die Nachricht war eine Übung, und niemand hat Sie angegriffen.',
    messageTitle: 'Die Nachricht und was sie verraten hat',
    messageAbout:
      'Das ist die Nachricht, die Sie bekommen haben. Jede Nummer markiert eine Stelle, an der etwas auffallen konnte, und führt zur Erklärung.',
    mail: mailPictureMessages.de,
    cuesTitle: 'Woran Sie es erkennen konnten',
    lessonTitle: 'Was Sie sich merken können',
    plainLesson:
      'Bevor Sie einem Link folgen, sehen Sie sich an, wer die Nachricht geschickt hat, wohin der Link führt und warum es eilig sein soll. Fragen Sie im Zweifel den Absender auf einem anderen Weg, und melden Sie die Nachricht.',
    training: 'Zu meinen Schulungen',
    recorded: (company) =>
      `${company} erfährt aus dieser Übung, dass die Nachricht oder diese Seite geöffnet wurde. Eingeben lässt sich auf dieser Seite nichts.`,
    hidden: 'Für Maschinen: Menschen folgen diesem Link nicht.',
    failureTitle: 'Diese Seite gehört zu Phishing-Simulationen',
    unknown:
      'Solche Links werden in Übungen verschickt. Dieser ist unvollständig, oder seine Übung wurde entfernt. Wenn er in einer Nachricht stand, die Ihnen seltsam vorkommt, melden Sie die Nachricht.',
    tooMany: 'Das waren zu viele Versuche. Bitte warten Sie eine Minute, und versuchen Sie es dann noch einmal.',
    stale: 'Bitte öffnen Sie den Link in der Nachricht noch einmal.',
    unavailable: 'Etwas funktioniert gerade nicht. Bitte versuchen Sie es in ein paar Minuten noch einmal.',
  },
  fr: {
    title: (company) => `C’était une simulation d’hameçonnage de ${company}`,
    calm: 'Rien de grave ne s’est passé. Le message était un exercice, et personne ne vous a attaqué(e).',
    messageTitle: 'Le message et ce qui le trahissait',
    messageAbout:
      'Voici le message que vous avez reçu. Chaque numéro marque un endroit où l’on pouvait remarquer quelque chose et mène à l’explication.',
    mail: mailPictureMessages.fr,
    cuesTitle: 'Ce qui trahissait le message',
    lessonTitle: 'À retenir',
    plainLesson:
      'Avant de suivre un lien, regardez qui a envoyé le message, où mène le lien et pourquoi il faudrait se presser. En cas de doute, contactez l’expéditeur par un autre moyen et signalez le message.',
    training: 'Vers ma formation',
    recorded: (company) =>
      `Par cet exercice, ${company} apprend que le message ou cette page a été ouvert. Cette page ne permet aucune saisie.`,
    hidden: 'Pour les machines : les personnes ne suivent pas ce lien.',
    failureTitle: 'Cette page fait partie de simulations d’hameçonnage',
    unknown:
      'De tels liens sont envoyés lors d’exercices. Celui-ci est incomplet, ou son exercice a été supprimé. S’il se trouvait dans un message qui vous semble étrange, signalez ce message.',
    tooMany: 'Il y a eu trop d’essais. Veuillez attendre une minute, puis réessayer.',
    stale: 'Veuillez ouvrir encore une fois le lien du message.',
    unavailable: 'Quelque chose ne fonctionne pas. Veuillez réessayer dans quelques minutes.',
  },
};
