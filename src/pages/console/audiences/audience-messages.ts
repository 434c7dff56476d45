import type { Language } from '../../../contract/languages.ts';

export interface AudienceMessages {
  about: string;
  group: string;
  everybody: string;
  department: string;
  departmentHint: string;
  preview: string;
  chosen: string;
  nobodyChosen: string;
  nobodyMatches: string;
  nobodyAffected: string;
  many(formatted: string): string;
  leftOut: string;
  leftOutHead: readonly [reason: string, people: string];
  reasons: Readonly<Record<string, string>>;
  keep: string;
}

export const audienceMessages: Record<Language, AudienceMessages> = {
  en: {
    about: 'Choose people. The next page shows the outcome before anything changes.',
    group: 'Group',
    everybody: 'Everybody',
    department: 'Department',
    departmentHint: 'Empty for all departments.',
    preview: 'Continue',
    chosen: 'The selected people',
    nobodyChosen: 'Please select at least one person.',
    nobodyMatches: 'No active person matches.',
    nobodyAffected: 'Nobody is affected.',
    many: (formatted) =>
      `This concerns up to ${formatted} people. That is too many to check one by one; those to whom the action does not apply are left out.`,
    leftOut: 'People who are left out',
    leftOutHead: ['Reason', 'People'],
    reasons: {
      unchanged: 'Already done, or reminded within the last hour',
      learner_inactive: 'Inactive',
      learner_not_found: 'Deleted in the meantime',
      policy_not_live: 'The policy has no published version',
      not_assigned: 'The policy is not assigned to them',
      already_signed: 'Already signed',
      course_retired: 'The course is retired',
      not_enrolled: 'Not enrolled',
      already_finished: 'Already finished',
    },
    keep: 'Cancel',
  },
  de: {
    about: 'Wählen Sie Personen aus. Die nächste Seite zeigt das Ergebnis, bevor sich etwas ändert.',
    group: 'Gruppe',
    everybody: 'Alle',
    department: 'Abteilung',
    departmentHint: 'Leer für alle Abteilungen.',
    preview: 'Weiter',
    chosen: 'Die ausgewählten Personen',
    nobodyChosen: 'Bitte wählen Sie mindestens eine Person aus.',
    nobodyMatches: 'Keine aktive Person passt dazu.',
    nobodyAffected: 'Niemand ist betroffen.',
    many: (formatted) =>
      `Das betrifft bis zu ${formatted} Personen. So viele werden nicht einzeln geprüft; wen es nicht betrifft, der wird ausgelassen.`,
    leftOut: 'Wer ausgelassen wird',
    leftOutHead: ['Grund', 'Personen'],
    reasons: {
      unchanged: 'Schon erledigt, oder in der letzten Stunde erinnert',
      learner_inactive: 'Inaktiv',
      learner_not_found: 'Inzwischen gelöscht',
      policy_not_live: 'Die Richtlinie hat keine veröffentlichte Version',
      not_assigned: 'Die Richtlinie ist ihnen nicht zugewiesen',
      already_signed: 'Schon unterschrieben',
      course_retired: 'Der Kurs ist zurückgezogen',
      not_enrolled: 'Nicht eingeschrieben',
      already_finished: 'Schon abgeschlossen',
    },
    keep: 'Abbrechen',
  },
  fr: {
    about: 'Choisissez les personnes concernées. La page suivante montre l’effet avant que rien ne se passe.',
    group: 'Groupe',
    everybody: 'Tout le monde',
    department: 'Service',
    departmentHint: 'Vide pour tous les services.',
    preview: 'Continuer',
    chosen: 'Les personnes sélectionnées',
    nobodyChosen: 'Veuillez sélectionner au moins une personne.',
    nobodyMatches: 'Aucune personne active ne correspond.',
    nobodyAffected: 'Personne n’est concerné.',
    many: (formatted) =>
      `Jusqu’à ${formatted} personnes sont concernées. Elles sont trop nombreuses pour être vérifiées une par une ; celles à qui cela ne s’applique pas sont laissées de côté.`,
    leftOut: 'Qui est laissé de côté',
    leftOutHead: ['Raison', 'Personnes'],
    reasons: {
      unchanged: 'Déjà fait, ou relancé dans la dernière heure',
      learner_inactive: 'Inactif',
      learner_not_found: 'Supprimé entre-temps',
      policy_not_live: 'La politique n’a pas de version publiée',
      not_assigned: 'La politique ne leur est pas attribuée',
      already_signed: 'Déjà signée',
      course_retired: 'Le cours est retiré',
      not_enrolled: 'Non inscrit',
      already_finished: 'Déjà terminé',
    },
    keep: 'Annuler',
  },
};
