import type { Language } from '../../../contract/languages.ts';

/** Changes to assignments. */
export type AssignmentAction = 'remind' | 'extend' | 'waive' | 'restore';

type Text = Record<
  | ('title' | 'filters' | 'status' | 'group' | 'all' | 'apply' | 'reset' | 'none' | 'name' | 'content' | 'due')
  | ('state' | 'extended' | 'first' | 'next' | 'pages' | 'change' | 'which' | 'ticked' | 'everybody' | 'continue')
  | ('until' | 'untilHint' | 'untilFault' | 'reason' | 'reasonHint' | 'reasonFault' | 'nobody' | 'keep' | 'back'),
  string
>;

/** Texts of the page with a campaign's assignments, and of their changes. */
export interface CampaignPeopleMessages extends Text {
  statuses: Readonly<Record<'open' | 'overdue' | 'completed' | 'waived' | 'ended', string>>;
  select: (name: string) => string;
  more: (count: string) => string;
  count: (count: string) => string;
  actions: Readonly<Record<AssignmentAction, { name: string; title: string; about: string; button: string }>>;
  notices: Readonly<Record<AssignmentAction, (count: number) => string>>;
}

export const campaignPeopleMessages: Record<Language, CampaignPeopleMessages> = {
  en: {
    title: 'People and their assignments',
    filters: 'Filter assignments',
    status: 'Status',
    group: 'Group',
    all: 'All',
    apply: 'Apply',
    reset: 'Show all',
    none: 'No assignment matches these filters.',
    name: 'Name',
    content: 'Content',
    due: 'Due',
    state: 'Status',
    extended: 'extended',
    first: 'First page',
    next: 'Next page',
    pages: 'Pages of the list',
    change: 'What should happen?',
    which: 'For whom?',
    ticked: 'For the ticked ones',
    everybody: 'For all that match the filters, on all pages',
    continue: 'Continue',
    until: 'New last day',
    untilHint: 'Leave it empty to return to the original due day.',
    untilFault: 'Please choose today or a later day.',
    reason: 'Reason',
    reasonHint: 'Admins and auditors read it. At most 500 characters.',
    reasonFault: 'Please enter a reason of at most 500 ordinary characters.',
    nobody: 'Please tick at least one assignment, or choose all.',
    keep: 'Leave it as it is',
    back: 'Back to the campaign',
    statuses: { open: 'Open', overdue: 'Overdue', completed: 'Finished', waived: 'Waived', ended: 'Ended' },
    select: (name) => `Select ${name}`,
    more: (count) => `and ${count} more`,
    count: (count) => `Assignments: ${count}`,
    actions: {
      remind: {
        name: 'Remind',
        title: 'Send a reminder?',
        about:
          'Each person gets one message about everything that is open, within working hours, at most once a day and not during leave. A message that is sent cannot be taken back.',
        button: 'Remind',
      },
      extend: {
        name: 'Extend',
        title: 'Extend the due day?',
        about: 'The assignments are not overdue until the end of the new day. You can change or undo this later.',
        button: 'Extend',
      },
      waive: {
        name: 'Waive',
        title: 'Waive these assignments?',
        about:
          'The assignments end without a result, and so do the enrolments and requests that they caused. You can restore them until the campaign ends.',
        button: 'Waive',
      },
      restore: {
        name: 'Restore waived ones',
        title: 'Restore these assignments?',
        about: 'The assignments are open again with their earlier due day, and can be overdue at once.',
        button: 'Restore',
      },
    },
    notices: {
      remind: (count) => `Reminders requested: ${count}`,
      extend: (count) => `Assignments with a new due day: ${count}`,
      waive: (count) => `Assignments waived: ${count}`,
      restore: (count) => `Assignments restored: ${count}`,
    },
  },
  de: {
    title: 'Personen und ihre Aufgaben',
    filters: 'Aufgaben filtern',
    status: 'Status',
    group: 'Gruppe',
    all: 'Alle',
    apply: 'Anwenden',
    reset: 'Alle anzeigen',
    none: 'Keine Aufgabe entspricht diesen Filtern.',
    name: 'Name',
    content: 'Inhalt',
    due: 'Frist',
    state: 'Status',
    extended: 'verlängert',
    first: 'Erste Seite',
    next: 'Nächste Seite',
    pages: 'Seiten der Liste',
    change: 'Was soll geschehen?',
    which: 'Für wen?',
    ticked: 'Für die angekreuzten',
    everybody: 'Für alle, auf die die Filter zutreffen, auf allen Seiten',
    continue: 'Weiter',
    until: 'Neuer letzter Tag',
    untilHint: 'Ohne Angabe gilt wieder die ursprüngliche Frist.',
    untilFault: 'Bitte wählen Sie den heutigen oder einen späteren Tag.',
    reason: 'Grund',
    reasonHint: 'Administratoren und Prüfer lesen ihn. Höchstens 500 Zeichen.',
    reasonFault: 'Bitte geben Sie einen Grund aus höchstens 500 gewöhnlichen Zeichen ein.',
    nobody: 'Bitte kreuzen Sie mindestens eine Aufgabe an, oder wählen Sie alle.',
    keep: 'Lassen, wie es ist',
    back: 'Zurück zur Kampagne',
    statuses: { open: 'Offen', overdue: 'Überfällig', completed: 'Erledigt', waived: 'Erlassen', ended: 'Beendet' },
    select: (name) => `${name} auswählen`,
    more: (count) => `und ${count} weitere`,
    count: (count) => `Aufgaben: ${count}`,
    actions: {
      remind: {
        name: 'Erinnern',
        title: 'Erinnerung senden?',
        about:
          'Jede Person bekommt eine Nachricht über alles, was offen ist: während der Arbeitszeit, höchstens einmal am Tag und nicht während einer Abwesenheit. Eine verschickte Nachricht lässt sich nicht zurückholen.',
        button: 'Erinnern',
      },
      extend: {
        name: 'Frist verlängern',
        title: 'Die Frist verlängern?',
        about:
          'Die Aufgaben werden erst nach dem neuen Tag überfällig. Sie können das später ändern oder rückgängig machen.',
        button: 'Verlängern',
      },
      waive: {
        name: 'Erlassen',
        title: 'Diese Aufgaben erlassen?',
        about:
          'Die Aufgaben enden ohne Ergebnis, ebenso die Einschreibungen und Anfragen, die aus ihnen entstanden sind. Solange die Kampagne nicht beendet ist, können Sie sie wiederherstellen.',
        button: 'Erlassen',
      },
      restore: {
        name: 'Erlassene wiederherstellen',
        title: 'Diese Aufgaben wiederherstellen?',
        about: 'Die Aufgaben sind wieder offen, mit ihrer früheren Frist, und können sofort überfällig sein.',
        button: 'Wiederherstellen',
      },
    },
    notices: {
      remind: (count) => `Angeforderte Erinnerungen: ${count}`,
      extend: (count) => `Aufgaben mit neuer Frist: ${count}`,
      waive: (count) => `Erlassene Aufgaben: ${count}`,
      restore: (count) => `Wiederhergestellte Aufgaben: ${count}`,
    },
  },
  fr: {
    title: 'Personnes et tâches',
    filters: 'Filtrer les tâches',
    status: 'État',
    group: 'Groupe',
    all: 'Tous',
    apply: 'Appliquer',
    reset: 'Tout afficher',
    none: 'Aucune tâche ne correspond à ces filtres.',
    name: 'Nom',
    content: 'Contenu',
    due: 'Échéance',
    state: 'État',
    extended: 'prolongée',
    first: 'Première page',
    next: 'Page suivante',
    pages: 'Pages de la liste',
    change: 'Que faut-il faire ?',
    which: 'Pour qui ?',
    ticked: 'Pour les tâches cochées',
    everybody: 'Pour toutes celles que trouvent les filtres, sur toutes les pages',
    continue: 'Continuer',
    until: 'Nouveau dernier jour',
    untilHint: 'Laissez vide pour revenir à l’échéance d’origine.',
    untilFault: 'Veuillez choisir aujourd’hui ou une date ultérieure.',
    reason: 'Motif',
    reasonHint: 'Les administrateurs et les auditeurs le lisent. Au plus 500 caractères.',
    reasonFault: 'Veuillez saisir un motif d’au plus 500 caractères ordinaires.',
    nobody: 'Veuillez cocher au moins une tâche, ou les choisir toutes.',
    keep: 'Ne rien changer',
    back: 'Retour à la campagne',
    statuses: { open: 'En cours', overdue: 'En retard', completed: 'Faite', waived: 'Dispensée', ended: 'Close' },
    select: (name) => `Sélectionner ${name}`,
    more: (count) => `et ${count} de plus`,
    count: (count) => `Tâches : ${count}`,
    actions: {
      remind: {
        name: 'Relancer',
        title: 'Envoyer un rappel ?',
        about:
          'Chaque personne reçoit un message sur tout ce qui est en cours, aux heures de travail, au plus un par jour et jamais pendant une absence. Un message envoyé ne peut pas être repris.',
        button: 'Relancer',
      },
      extend: {
        name: 'Prolonger',
        title: 'Prolonger l’échéance ?',
        about:
          'Les tâches ne sont en retard qu’après le nouveau jour. Vous pourrez le modifier ou l’annuler plus tard.',
        button: 'Prolonger',
      },
      waive: {
        name: 'Dispenser',
        title: 'Dispenser de ces tâches ?',
        about:
          'Les tâches prennent fin sans résultat, ainsi que les inscriptions et demandes qu’elles ont causées. Vous pouvez les rétablir tant que la campagne n’est pas terminée.',
        button: 'Dispenser',
      },
      restore: {
        name: 'Rétablir les tâches dispensées',
        title: 'Rétablir ces tâches ?',
        about: 'Les tâches sont de nouveau en cours, avec leur échéance d’avant, et peuvent être en retard aussitôt.',
        button: 'Rétablir',
      },
    },
    notices: {
      remind: (count) => `Rappels demandés : ${count}`,
      extend: (count) => `Tâches avec une nouvelle échéance : ${count}`,
      waive: (count) => `Tâches dispensées : ${count}`,
      restore: (count) => `Tâches rétablies : ${count}`,
    },
  },
};
