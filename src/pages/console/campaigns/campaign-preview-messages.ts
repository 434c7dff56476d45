import type { Language } from '../../../contract/languages.ts';

/** Texts of the campaign preview. */
export interface CampaignPreviewMessages {
  title: string;
  about: string;
  aboutRunning: string;
  learners: string;
  assignments: string;
  done: string;
  mails: string;
  calendar: string;
  calendarHint: string;
  nothing: string;
  messages: (count: string) => string;
  due: (count: string) => string;
  simulated: (count: string) => string;
  simulations: string;
  simulationHead: readonly [template: string, recipients: string, from: string, until: string, state: string];
  canBegin: string;
  clashes: string;
  clashesAbout: string;
  clashHead: readonly [name: string, status: string, learners: string];
  startAbout: string;
  start: string;
  keepDraft: string;
  edit: string;
  changed: string;
}

export const campaignPreviewMessages: Record<Language, CampaignPreviewMessages> = {
  en: {
    title: 'Preview',
    about: 'Nothing has been sent yet. This is what happens if nobody finishes anything.',
    aboutRunning: 'This is what the campaign still does if nobody finishes anything.',
    learners: 'People to be assigned',
    assignments: 'Assignments',
    done: 'Already finished',
    mails: 'Messages in a year',
    calendar: 'Calendar',
    calendarHint: 'The days are in each person’s time zone. Messages can also be about other campaigns.',
    nothing: 'Nothing is sent or due in the next year.',
    messages: (count) => `Messages: ${count}`,
    due: (count) => `Due: ${count}`,
    simulated: (count) => `Simulated: ${count}`,
    simulations: 'Simulations',
    simulationHead: ['Template', 'Recipients', 'From', 'Until', 'Can it be sent?'],
    canBegin: 'Yes',
    clashes: 'Other campaigns with the same content',
    clashesAbout: 'People in both finish the content once; it counts for both.',
    clashHead: ['Campaign', 'Status', 'People in both'],
    startAbout:
      'Once the campaign has started, it can be paused and ended, but no longer deleted. Messages that are sent cannot be taken back.',
    start: 'Start the campaign',
    keepDraft: 'Keep it as a draft',
    edit: 'Edit',
    changed: 'The campaign has changed since you opened the preview. Please check it again before you start it.',
  },
  de: {
    title: 'Vorschau',
    about: 'Noch wurde nichts verschickt. Das geschieht, wenn niemand etwas erledigt.',
    aboutRunning: 'Das tut die Kampagne noch, wenn niemand etwas erledigt.',
    learners: 'Personen mit neuen Aufgaben',
    assignments: 'Aufgaben',
    done: 'Schon erledigt',
    mails: 'Nachrichten in einem Jahr',
    calendar: 'Kalender',
    calendarHint: 'Die Tage gelten in der Zeitzone jeder Person. Nachrichten können auch andere Kampagnen betreffen.',
    nothing: 'Im nächsten Jahr wird nichts verschickt und nichts fällig.',
    messages: (count) => `Nachrichten: ${count}`,
    due: (count) => `Fällig: ${count}`,
    simulated: (count) => `Simuliert: ${count}`,
    simulations: 'Simulationen',
    simulationHead: ['Vorlage', 'Empfänger', 'Von', 'Bis', 'Versand möglich?'],
    canBegin: 'Ja',
    clashes: 'Andere Kampagnen mit demselben Inhalt',
    clashesAbout: 'Wer in beiden ist, erledigt den Inhalt einmal; er zählt für beide.',
    clashHead: ['Kampagne', 'Status', 'Personen in beiden'],
    startAbout:
      'Eine begonnene Kampagne lässt sich anhalten und beenden, aber nicht mehr löschen. Verschickte Nachrichten lassen sich nicht zurückholen.',
    start: 'Kampagne starten',
    keepDraft: 'Als Entwurf behalten',
    edit: 'Bearbeiten',
    changed: 'Die Kampagne hat sich geändert, seit Sie die Vorschau geöffnet haben. Bitte prüfen Sie sie noch einmal.',
  },
  fr: {
    title: 'Aperçu',
    about: 'Rien n’a encore été envoyé. Voici ce qui se passe si personne ne termine rien.',
    aboutRunning: 'Voici ce que la campagne fera encore si personne ne termine rien.',
    learners: 'Personnes concernées',
    assignments: 'Tâches',
    done: 'Déjà faites',
    mails: 'Messages en un an',
    calendar: 'Calendrier',
    calendarHint:
      'Chaque jour est celui du fuseau horaire de la personne. Un message peut aussi porter sur d’autres campagnes.',
    nothing: 'Rien n’est envoyé ni attendu dans l’année à venir.',
    messages: (count) => `Messages : ${count}`,
    due: (count) => `Échéances : ${count}`,
    simulated: (count) => `Simulés : ${count}`,
    simulations: 'Simulations',
    simulationHead: ['Modèle', 'Destinataires', 'Du', 'Au', 'Envoi possible ?'],
    canBegin: 'Oui',
    clashes: 'Autres campagnes avec le même contenu',
    clashesAbout: 'Les personnes présentes dans les deux font le contenu une seule fois ; il compte pour les deux.',
    clashHead: ['Campagne', 'État', 'Personnes dans les deux'],
    startAbout:
      'Une campagne commencée peut être suspendue ou terminée, mais plus supprimée. Les messages envoyés ne peuvent pas être repris.',
    start: 'Lancer la campagne',
    keepDraft: 'Garder le brouillon',
    edit: 'Modifier',
    changed: 'La campagne a changé depuis que vous avez ouvert l’aperçu. Veuillez la vérifier avant de la lancer.',
  },
};
