import type { Language } from '../../../contract/languages.ts';
import type { Action, Change } from './people-actions.ts';

/** Texts of the actions on several people. */
export interface ActionsMessages {
  title: string;
  formTitle: string;
  actions: Record<Action, string>;
  actionLabel: string;
  whoLabel: string;
  chosen: string;
  matching: string;
  proceed: string;
  select: (name: string) => string;
  course: string;
  group: string;
  nobodyChosen: string;
  tooMany: string;
  about: Record<Change, string>;
  affected: (count: number, formatted: string) => string;
  nobodyAffected: string;
  leftOut: (count: number, formatted: string) => string;
  leftOutHead: readonly [reason: string, people: string];
  names: (names: string, others: number) => string;
  reasons: Record<string, string>;
  confirm: Record<Change, string>;
  keep: string;
  done: (count: number, formatted: string) => string;
  exportAbout: string;
  exportButton: string;
}

export const actionsMessages: Record<Language, ActionsMessages> = {
  en: {
    title: 'Change several people',
    formTitle: 'With these people',
    actions: {
      enroll: 'Enrol in a course',
      remind: 'Remind of a course',
      group: 'Add to a group',
      ungroup: 'Remove from a group',
      activate: 'Activate',
      deactivate: 'Deactivate',
      export: 'Export as CSV',
    },
    actionLabel: 'Action',
    whoLabel: 'For whom',
    chosen: 'the people ticked above',
    matching: 'everybody who matches the filters, on all pages',
    proceed: 'Preview',
    select: (name) => `Select ${name}`,
    course: 'Course',
    group: 'Group',
    nobodyChosen: 'Nobody is selected. Tick at least one person in the list.',
    tooMany:
      'More than 10,000 people match, which is the most for one action. Narrow the filters, or use a campaign for everyone.',
    about: {
      enroll: 'The service enrols these people and sends them an invitation by e-mail.',
      remind: 'The service sends these people a reminder by e-mail.',
      group: 'These people become members of the group. They stay in their other groups.',
      ungroup: 'These people leave the group. They stay in their other groups, and the group keeps its managers.',
      activate: 'These people take part again and count towards your plan.',
      deactivate: 'These people get no more training, policies or simulations. Their results are kept.',
    },
    affected: (count, formatted) => (count === 1 ? 'This affects 1 person.' : `This affects ${formatted} people.`),
    nobodyAffected: 'This changes nothing for anybody.',
    leftOut: (count, formatted) => (count === 1 ? '1 person is left out.' : `${formatted} people are left out.`),
    leftOutHead: ['Reason', 'People'],
    names: (names, others) => (others === 0 ? names : `${names} and ${others} more`),
    reasons: {
      not_found: 'no longer exists',
      learner_not_found: 'no longer exists',
      learner_inactive: 'is inactive',
      course_not_found: 'the course no longer exists',
      course_retired: 'the course is no longer offered',
      not_enrolled: 'is not enrolled in the course',
      already_finished: 'has already finished the course',
      already_enrolled: 'is already enrolled',
      just_reminded: 'was reminded within the last hour',
      already_active: 'is already active',
      already_inactive: 'is already inactive',
      already_member: 'is already a member',
      not_member: 'is not a member',
    },
    confirm: {
      enroll: 'Enrol',
      remind: 'Send reminders',
      group: 'Add to the group',
      ungroup: 'Remove from the group',
      activate: 'Activate',
      deactivate: 'Deactivate',
    },
    keep: 'Back to the list without changes',
    done: (count, formatted) => (count === 1 ? 'Done for 1 person.' : `Done for ${formatted} people.`),
    exportAbout: 'The file has all fields of these people, in UTF-8 and with commas.',
    exportButton: 'Download the CSV file',
  },
  de: {
    title: 'Mehrere Personen ändern',
    formTitle: 'Mit diesen Personen',
    actions: {
      enroll: 'In einen Kurs einschreiben',
      remind: 'An einen Kurs erinnern',
      group: 'In eine Gruppe aufnehmen',
      ungroup: 'Aus einer Gruppe entfernen',
      activate: 'Aktivieren',
      deactivate: 'Deaktivieren',
      export: 'Als CSV exportieren',
    },
    actionLabel: 'Aktion',
    whoLabel: 'Für wen',
    chosen: 'die oben angekreuzten Personen',
    matching: 'alle, auf die die Filter passen, auf allen Seiten',
    proceed: 'Vorschau',
    select: (name) => `${name} auswählen`,
    course: 'Kurs',
    group: 'Gruppe',
    nobodyChosen: 'Niemand ist ausgewählt. Kreuzen Sie in der Liste mindestens eine Person an.',
    tooMany:
      'Die Filter passen auf mehr als 10.000 Personen; das ist das Höchste für eine Aktion. Grenzen Sie die Filter ein, oder nutzen Sie eine Kampagne für alle.',
    about: {
      enroll: 'Der Dienst schreibt diese Personen ein und lädt sie per E-Mail ein.',
      remind: 'Der Dienst erinnert diese Personen per E-Mail.',
      group: 'Diese Personen werden Mitglieder der Gruppe. In ihren anderen Gruppen bleiben sie.',
      ungroup:
        'Diese Personen verlassen die Gruppe. In ihren anderen Gruppen bleiben sie; wer die Gruppe verwaltet, bleibt gleich.',
      activate: 'Diese Personen nehmen wieder teil und zählen zum gebuchten Umfang.',
      deactivate:
        'Diese Personen erhalten keine Schulungen, Richtlinien und Simulationen mehr. Ihre Ergebnisse bleiben erhalten.',
    },
    affected: (count, formatted) => (count === 1 ? 'Das betrifft 1 Person.' : `Das betrifft ${formatted} Personen.`),
    nobodyAffected: 'Das ändert für niemanden etwas.',
    leftOut: (count, formatted) =>
      count === 1 ? '1 Person wird ausgelassen.' : `${formatted} Personen werden ausgelassen.`,
    leftOutHead: ['Grund', 'Personen'],
    names: (names, others) => (others === 0 ? names : `${names} und ${others} weitere`),
    reasons: {
      not_found: 'gibt es nicht mehr',
      learner_not_found: 'gibt es nicht mehr',
      learner_inactive: 'ist inaktiv',
      course_not_found: 'den Kurs gibt es nicht mehr',
      course_retired: 'der Kurs wird nicht mehr angeboten',
      not_enrolled: 'ist nicht in den Kurs eingeschrieben',
      already_finished: 'hat den Kurs schon abgeschlossen',
      already_enrolled: 'ist schon eingeschrieben',
      just_reminded: 'wurde in der letzten Stunde erinnert',
      already_active: 'ist schon aktiv',
      already_inactive: 'ist schon inaktiv',
      already_member: 'ist schon Mitglied',
      not_member: 'ist kein Mitglied',
    },
    confirm: {
      enroll: 'Einschreiben',
      remind: 'Erinnerungen senden',
      group: 'In die Gruppe aufnehmen',
      ungroup: 'Aus der Gruppe entfernen',
      activate: 'Aktivieren',
      deactivate: 'Deaktivieren',
    },
    keep: 'Zurück zur Liste, ohne etwas zu ändern',
    done: (count, formatted) => (count === 1 ? 'Für 1 Person erledigt.' : `Für ${formatted} Personen erledigt.`),
    exportAbout: 'Die Datei enthält alle Angaben zu diesen Personen, in UTF-8 und mit Kommas.',
    exportButton: 'CSV-Datei herunterladen',
  },
  fr: {
    title: 'Modifier plusieurs personnes',
    formTitle: 'Avec ces personnes',
    actions: {
      enroll: 'Inscrire à un cours',
      remind: 'Rappeler un cours',
      group: 'Ajouter à un groupe',
      ungroup: 'Retirer d’un groupe',
      activate: 'Activer',
      deactivate: 'Désactiver',
      export: 'Exporter au format CSV',
    },
    actionLabel: 'Action',
    whoLabel: 'Pour qui',
    chosen: 'les personnes cochées ci-dessus',
    matching: 'toutes les personnes qui correspondent aux filtres, sur toutes les pages',
    proceed: 'Aperçu',
    select: (name) => `Sélectionner ${name}`,
    course: 'Cours',
    group: 'Groupe',
    nobodyChosen: 'Personne n’est sélectionné. Cochez au moins une personne dans la liste.',
    tooMany:
      'Plus de 10 000 personnes correspondent, ce qui est le maximum pour une action. Précisez les filtres, ou utilisez une campagne pour tout le monde.',
    about: {
      enroll: 'Le service inscrit ces personnes et leur envoie une invitation par e-mail.',
      remind: 'Le service envoie un rappel par e-mail à ces personnes.',
      group: 'Ces personnes deviennent membres du groupe. Elles restent dans leurs autres groupes.',
      ungroup:
        'Ces personnes quittent le groupe. Elles restent dans leurs autres groupes, et les responsables du groupe ne changent pas.',
      activate: 'Ces personnes participent de nouveau et comptent dans votre offre.',
      deactivate:
        'Ces personnes ne reçoivent plus de formations, de politiques ni de simulations. Leurs résultats sont conservés.',
    },
    affected: (count, formatted) =>
      count === 1 ? 'Cela concerne 1 personne.' : `Cela concerne ${formatted} personnes.`,
    nobodyAffected: 'Cela ne change rien pour personne.',
    leftOut: (count, formatted) => (count === 1 ? '1 personne est exclue.' : `${formatted} personnes sont exclues.`),
    leftOutHead: ['Raison', 'Personnes'],
    names: (names, others) => (others === 0 ? names : `${names} et ${others} de plus`),
    reasons: {
      not_found: 'n’existe plus',
      learner_not_found: 'n’existe plus',
      learner_inactive: 'est inactif',
      course_not_found: 'le cours n’existe plus',
      course_retired: 'le cours n’est plus proposé',
      not_enrolled: 'n’est pas inscrit au cours',
      already_finished: 'a déjà terminé le cours',
      already_enrolled: 'est déjà inscrit',
      just_reminded: 'a reçu un rappel il y a moins d’une heure',
      already_active: 'est déjà actif',
      already_inactive: 'est déjà inactif',
      already_member: 'est déjà membre',
      not_member: 'n’est pas membre',
    },
    confirm: {
      enroll: 'Inscrire',
      remind: 'Envoyer les rappels',
      group: 'Ajouter au groupe',
      ungroup: 'Retirer du groupe',
      activate: 'Activer',
      deactivate: 'Désactiver',
    },
    keep: 'Revenir à la liste sans rien changer',
    done: (count, formatted) => (count === 1 ? 'Fait pour 1 personne.' : `Fait pour ${formatted} personnes.`),
    exportAbout: 'Le fichier contient toutes les informations sur ces personnes, en UTF-8 et avec des virgules.',
    exportButton: 'Télécharger le fichier CSV',
  },
};
