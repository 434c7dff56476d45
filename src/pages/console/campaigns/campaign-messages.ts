import type { Language } from '../../../contract/languages.ts';

/** The changes to a campaign as a whole. */
export type CampaignAction = 'pause' | 'resume' | 'end' | 'delete';

type Text = Record<
  | ('status' | 'content' | 'audience' | 'everyone' | 'conditions' | 'start' | 'due' | 'dueDays' | 'ends' | 'progress')
  | ('assigned' | 'started' | 'finished' | 'overdue' | 'waived' | 'by' | 'none' | 'learners' | 'late' | 'nobodyLate')
  | ('edit' | 'preview' | 'people' | 'failure' | 'keep' | 'conflict' | 'next' | 'first' | 'pages'),
  string
>;

/** Texts of the campaign page. */
export interface CampaignMessages extends Text {
  kinds: Readonly<Record<'department' | 'group' | 'manager', string>>;
  funnel: (finished: string, assigned: string) => string;
  notices: Readonly<Record<'saved' | 'started' | 'paused' | 'resumed' | 'conflict', string>>;
  actions: Readonly<Record<CampaignAction, { link: string; title: string; about: string; button: string }>>;
}

export const campaignMessages: Record<Language, CampaignMessages> = {
  en: {
    status: 'Status',
    content: 'Content',
    audience: 'Audience',
    everyone: 'Everyone',
    conditions: 'People who meet conditions',
    start: 'Start',
    due: 'Due',
    dueDays: 'Due, in days after the assignment',
    ends: 'Ended',
    progress: 'Progress',
    assigned: 'Assigned',
    started: 'Started',
    finished: 'Finished',
    overdue: 'Overdue',
    waived: 'Waived',
    by: 'Progress in detail',
    none: 'None',
    learners: 'People',
    late: 'Show who is late',
    nobodyLate: 'Nobody is late.',
    edit: 'Edit',
    preview: 'Calendar',
    people: 'People and their assignments',
    failure: 'A simulation could not be scheduled',
    keep: 'Leave it as it is',
    conflict: 'The campaign has changed since you opened the page.',
    next: 'Next page',
    first: 'First page',
    pages: 'Pages of the table',
    kinds: { department: 'Department', group: 'Group', manager: 'Manager' },
    funnel: (finished, assigned) => `${finished} of ${assigned} assignments are finished.`,
    notices: {
      saved: 'The changes have been saved.',
      started: 'The campaign has been started. Assignments follow within a few minutes.',
      paused: 'The campaign has been paused.',
      resumed: 'The campaign has been resumed.',
      conflict: 'Somebody has changed the campaign in the meantime. Please check it and try again.',
    },
    actions: {
      pause: {
        link: 'Pause',
        title: 'Pause this campaign?',
        about:
          'Nobody is assigned anything and no messages are sent until you resume it. Due days do not move, so open assignments can become overdue. Its simulations are cancelled, which cannot be undone.',
        button: 'Pause the campaign',
      },
      resume: {
        link: 'Resume',
        title: 'Resume this campaign?',
        about:
          'People who have joined the audience in the meantime are assigned the content, and reminders are sent again. Cancelled simulations do not continue.',
        button: 'Resume the campaign',
      },
      end: {
        link: 'End',
        title: 'End this campaign?',
        about:
          'All open assignments end, and so do the enrolments and requests that they caused. Finished results are kept. Its simulations are cancelled. This cannot be undone.',
        button: 'End the campaign',
      },
      delete: {
        link: 'Delete',
        title: 'Delete this campaign?',
        about: 'The campaign has not started, so nobody has been assigned anything. This cannot be undone.',
        button: 'Delete the campaign',
      },
    },
  },
  de: {
    status: 'Status',
    content: 'Inhalt',
    audience: 'Zielgruppe',
    everyone: 'Alle',
    conditions: 'Personen, die Bedingungen erfüllen',
    start: 'Beginn',
    due: 'Frist',
    dueDays: 'Frist in Tagen nach der Zuweisung',
    ends: 'Beendet am',
    progress: 'Fortschritt',
    assigned: 'Zugewiesen',
    started: 'Begonnen',
    finished: 'Erledigt',
    overdue: 'Überfällig',
    waived: 'Erlassen',
    by: 'Fortschritt im Einzelnen',
    none: 'Ohne',
    learners: 'Personen',
    late: 'Wer ist im Verzug?',
    nobodyLate: 'Niemand ist im Verzug.',
    edit: 'Bearbeiten',
    preview: 'Kalender',
    people: 'Personen und ihre Aufgaben',
    failure: 'Eine Simulation ließ sich nicht planen',
    keep: 'Lassen, wie es ist',
    conflict: 'Die Kampagne hat sich geändert, seit Sie die Seite geöffnet haben.',
    next: 'Nächste Seite',
    first: 'Erste Seite',
    pages: 'Seiten der Tabelle',
    kinds: { department: 'Abteilung', group: 'Gruppe', manager: 'Führungskraft' },
    funnel: (finished, assigned) => `${finished} von ${assigned} Aufgaben sind erledigt.`,
    notices: {
      saved: 'Die Änderungen sind gespeichert.',
      started: 'Die Kampagne wurde gestartet. Die Aufgaben folgen in wenigen Minuten.',
      paused: 'Die Kampagne ist angehalten.',
      resumed: 'Die Kampagne läuft weiter.',
      conflict: 'Jemand hat die Kampagne inzwischen geändert. Bitte prüfen Sie sie, und versuchen Sie es noch einmal.',
    },
    actions: {
      pause: {
        link: 'Anhalten',
        title: 'Diese Kampagne anhalten?',
        about:
          'Bis Sie die Kampagne fortsetzen, wird niemandem etwas zugewiesen, und es gehen keine Nachrichten hinaus. Die Fristen bleiben, Offenes kann also überfällig werden. Ihre Simulationen werden abgebrochen; das lässt sich nicht rückgängig machen.',
        button: 'Kampagne anhalten',
      },
      resume: {
        link: 'Fortsetzen',
        title: 'Diese Kampagne fortsetzen?',
        about:
          'Wer inzwischen zur Zielgruppe gehört, bekommt die Aufgaben, und Erinnerungen gehen wieder hinaus. Abgebrochene Simulationen laufen nicht weiter.',
        button: 'Kampagne fortsetzen',
      },
      end: {
        link: 'Beenden',
        title: 'Diese Kampagne beenden?',
        about:
          'Alle offenen Aufgaben enden, ebenso die Einschreibungen und Anfragen, die aus ihnen entstanden sind. Was erledigt ist, bleibt. Ihre Simulationen werden abgebrochen. Das lässt sich nicht rückgängig machen.',
        button: 'Kampagne beenden',
      },
      delete: {
        link: 'Löschen',
        title: 'Diese Kampagne löschen?',
        about:
          'Die Kampagne hat noch nicht begonnen, deshalb wurde niemandem etwas zugewiesen. Das lässt sich nicht rückgängig machen.',
        button: 'Kampagne löschen',
      },
    },
  },
  fr: {
    status: 'État',
    content: 'Contenu',
    audience: 'Destinataires',
    everyone: 'Tout le monde',
    conditions: 'Les personnes qui remplissent des conditions',
    start: 'Début',
    due: 'Échéance',
    dueDays: 'Délai en jours après l’attribution',
    ends: 'Terminée le',
    progress: 'Avancement',
    assigned: 'Attribuées',
    started: 'Commencées',
    finished: 'Faites',
    overdue: 'En retard',
    waived: 'Dispensées',
    by: 'Avancement en détail',
    none: 'Aucun',
    learners: 'Personnes',
    late: 'Voir qui est en retard',
    nobodyLate: 'Personne n’est en retard.',
    edit: 'Modifier',
    preview: 'Calendrier',
    people: 'Personnes et tâches',
    failure: 'Une simulation n’a pas pu être programmée',
    keep: 'Ne rien changer',
    conflict: 'La campagne a changé depuis que vous avez ouvert la page.',
    next: 'Page suivante',
    first: 'Première page',
    pages: 'Pages du tableau',
    kinds: { department: 'Service', group: 'Groupe', manager: 'Responsable' },
    funnel: (finished, assigned) => `${finished} tâches sur ${assigned} sont faites.`,
    notices: {
      saved: 'Les modifications sont enregistrées.',
      started: 'La campagne est lancée. Les tâches sont attribuées dans quelques minutes.',
      paused: 'La campagne est suspendue.',
      resumed: 'La campagne reprend.',
      conflict: 'Quelqu’un a modifié la campagne entre-temps. Veuillez la vérifier et réessayer.',
    },
    actions: {
      pause: {
        link: 'Suspendre',
        title: 'Suspendre cette campagne ?',
        about:
          'Rien n’est attribué et aucun message n’est envoyé jusqu’à la reprise. Les échéances restent : des tâches en cours peuvent prendre du retard. Ses simulations sont annulées, sans retour possible.',
        button: 'Suspendre la campagne',
      },
      resume: {
        link: 'Reprendre',
        title: 'Reprendre cette campagne ?',
        about:
          'Les personnes arrivées entre-temps reçoivent les tâches, et les rappels repartent. Les simulations annulées ne reprennent pas.',
        button: 'Reprendre la campagne',
      },
      end: {
        link: 'Terminer',
        title: 'Terminer cette campagne ?',
        about:
          'Toutes les tâches en cours prennent fin, ainsi que les inscriptions et demandes qu’elles ont causées. Ce qui est fait reste. Ses simulations sont annulées. C’est sans retour.',
        button: 'Terminer la campagne',
      },
      delete: {
        link: 'Supprimer',
        title: 'Supprimer cette campagne ?',
        about: 'La campagne n’a pas commencé : personne n’a de tâche. C’est sans retour.',
        button: 'Supprimer la campagne',
      },
    },
  },
};
