import type { Language } from '../../contract/languages.ts';

/** Texts of the landing page in addition to those of the template. */
export interface LandingMessages {
  title(company: string): string;
  calm: string;
  cuesTitle: string;
  lessonTitle: string;
  /** The lesson if the template was deleted. */
  plainLesson: string;
  training: string;
  formTitle: string;
  formHint: string;
  userName: string;
  password: string;
  submit: string;
  stopped: string;
  recorded(company: string): string;
  /** The text of the link that only machines see. */
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
    cuesTitle: 'What gave it away',
    lessonTitle: 'What to remember',
    plainLesson:
      'Before you follow a link, look at who sent the message, where the link leads and why it is urgent. If in doubt, ask the sender through another channel, and report the message.',
    training: 'Go to my training',
    formTitle: 'What an attacker would ask for now',
    formHint:
      'An attacker would show you a form like this one. Please do not type anything. Typing here counts as giving data away; what you type never leaves your device.',
    userName: 'User name',
    password: 'Password',
    submit: 'Sign in',
    stopped:
      'Stop: an attacker would now have what you typed. Here, it has not left your device, and the fields are empty again.',
    recorded: (company) =>
      `${company} learns from this exercise that the message or this page was opened, and whether somebody typed something, but never what.`,
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
    cuesTitle: 'Woran Sie es erkennen konnten',
    lessonTitle: 'Was Sie sich merken können',
    plainLesson:
      'Bevor Sie einem Link folgen, sehen Sie sich an, wer die Nachricht geschickt hat, wohin der Link führt und warum es eilig sein soll. Fragen Sie im Zweifel den Absender auf einem anderen Weg, und melden Sie die Nachricht.',
    training: 'Zu meinen Schulungen',
    formTitle: 'Wonach ein Angreifer jetzt fragen würde',
    formHint:
      'Ein Angreifer würde Ihnen ein Formular wie dieses zeigen. Bitte geben Sie nichts ein. Wer hier etwas eingibt, wird so gezählt, als hätte er Daten preisgegeben; die Eingabe selbst verlässt das Gerät nie.',
    userName: 'Benutzername',
    password: 'Passwort',
    submit: 'Anmelden',
    stopped:
      'Halt: Ein Angreifer hätte jetzt, was Sie eingegeben haben. Hier hat es Ihr Gerät nicht verlassen, und die Felder sind wieder leer.',
    recorded: (company) =>
      `${company} erfährt aus dieser Übung, dass die Nachricht oder diese Seite geöffnet wurde und ob jemand etwas eingegeben hat, aber nie was.`,
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
    cuesTitle: 'Ce qui trahissait le message',
    lessonTitle: 'À retenir',
    plainLesson:
      'Avant de suivre un lien, regardez qui a envoyé le message, où mène le lien et pourquoi il faudrait se presser. En cas de doute, contactez l’expéditeur par un autre moyen et signalez le message.',
    training: 'Vers ma formation',
    formTitle: 'Ce qu’un attaquant demanderait maintenant',
    formHint:
      'Un attaquant vous montrerait un formulaire comme celui-ci. N’y saisissez rien. Toute saisie compte comme si des données avaient été livrées ; ce qui est saisi ne quitte jamais l’appareil.',
    userName: 'Nom d’utilisateur',
    password: 'Mot de passe',
    submit: 'Se connecter',
    stopped:
      'Stop : un attaquant aurait maintenant ce que vous avez saisi. Ici, rien n’a quitté votre appareil et les champs sont de nouveau vides.',
    recorded: (company) =>
      `Par cet exercice, ${company} apprend que le message ou cette page a été ouvert et si quelqu’un a saisi quelque chose, mais jamais quoi.`,
    hidden: 'Pour les machines : les personnes ne suivent pas ce lien.',
    failureTitle: 'Cette page fait partie de simulations d’hameçonnage',
    unknown:
      'De tels liens sont envoyés lors d’exercices. Celui-ci est incomplet, ou son exercice a été supprimé. S’il se trouvait dans un message qui vous semble étrange, signalez ce message.',
    tooMany: 'Il y a eu trop d’essais. Veuillez attendre une minute, puis réessayer.',
    stale: 'Veuillez ouvrir encore une fois le lien du message.',
    unavailable: 'Quelque chose ne fonctionne pas. Veuillez réessayer dans quelques minutes.',
  },
};
