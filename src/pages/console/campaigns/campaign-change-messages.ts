import type { Language } from '../../../contract/languages.ts';

/** Texts for previewing a change to a running campaign. */
export interface CampaignChangeMessages {
  title: string;
  about: string;
  assigned: string;
  newAssignments: string;
  ended: string;
  endedAssignments: string;
  messages: string;
  head: readonly [day: string, before: string, after: string];
  unchanged: string;
  hint: string;
  save: string;
  again: string;
}

export const campaignChangeMessages: Record<Language, CampaignChangeMessages> = {
  en: {
    title: 'Preview of the changes',
    about: 'Nothing is saved yet. This is what will change within a minute after you save.',
    assigned: 'People who get assignments',
    newAssignments: 'New assignments',
    ended: 'People who lose open assignments',
    endedAssignments: 'Assignments that end',
    messages: 'Messages that change',
    head: ['Day', 'Messages now', 'Messages after the change'],
    unchanged: 'No message of the next year is added or dropped.',
    hint: 'The days are in each person’s time zone, and assume that nobody finishes anything.',
    save: 'Save changes',
    again: 'Back to the form',
  },
  de: {
    title: 'Vorschau der Änderungen',
    about: 'Noch ist nichts gespeichert. Das bewirken Ihre Änderungen innerhalb einer Minute nach dem Speichern.',
    assigned: 'Personen, die Zuweisungen erhalten',
    newAssignments: 'Neue Zuweisungen',
    ended: 'Personen, die offene Zuweisungen verlieren',
    endedAssignments: 'Zuweisungen, die enden',
    messages: 'Geänderte Nachrichten',
    head: ['Tag', 'Nachrichten bisher', 'Nachrichten nach der Änderung'],
    unchanged: 'Im nächsten Jahr kommt keine Nachricht hinzu, und keine entfällt.',
    hint: 'Die Tage gelten in der Zeitzone jeder Person, wenn niemand etwas erledigt.',
    save: 'Änderungen speichern',
    again: 'Zurück zum Formular',
  },
  fr: {
    title: 'Aperçu des modifications',
    about:
      'Rien n’est encore enregistré. Voici l’effet de vos modifications dans la minute qui suit leur enregistrement.',
    assigned: 'Personnes qui reçoivent des attributions',
    newAssignments: 'Nouvelles attributions',
    ended: 'Personnes qui perdent des attributions en cours',
    endedAssignments: 'Attributions qui prennent fin',
    messages: 'Messages modifiés',
    head: ['Jour', 'Messages actuels', 'Messages après la modification'],
    unchanged: 'Aucun message de l’année à venir n’est ajouté ni supprimé.',
    hint: 'Chaque jour est celui du fuseau horaire de la personne, si personne ne termine rien.',
    save: 'Enregistrer les modifications',
    again: 'Retour au formulaire',
  },
};
