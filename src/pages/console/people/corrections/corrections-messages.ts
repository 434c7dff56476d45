import type { Language } from '../../../../contract/languages.ts';

export type CorrectionAction = 'void' | 'replace' | 'restore';
export type CorrectionField = 'reason' | 'startedOn' | 'finishedOn' | 'score' | 'signedOn' | 'note';

/** Texts of the pages on which an admin corrects records of a person. */
export interface CorrectionsMessages {
  link: string;
  title: (name: string) => string;
  about: string;
  back: string;
  head: readonly [record: string, time: string, state: string];
  none: string;
  kinds: Record<'course_result' | 'policy_signature' | 'simulation_event' | 'reported_message', string>;
  states: { counts: string; voided: string };
  actions: Record<CorrectionAction, string>;
  effects: Record<CorrectionAction, string>;
  fields: Record<CorrectionField, string>;
  hints: Partial<Record<CorrectionField, string>>;
  keep: string;
  gone: string;
  faults: Record<CorrectionField, string>;
  failed: string;
  notices: { corrected: string };
}

export const correctionsMessages: Record<Language, CorrectionsMessages> = {
  en: {
    link: 'Correct records',
    title: (name) => `Records of ${name}`,
    about:
      'Void a record that is wrong, or record the right one in its place. Nothing is lost: voided records stay visible with the reason.',
    back: 'Back to the person',
    head: ['Record', 'Date', 'State'],
    none: 'Nothing is recorded for this person yet.',
    kinds: {
      course_result: 'Course result',
      policy_signature: 'Signature',
      simulation_event: 'Simulation',
      reported_message: 'Reported message',
    },
    states: { counts: 'counts', voided: 'voided' },
    actions: { void: 'Void', replace: 'Correct', restore: 'Restore' },
    effects: {
      void: 'The record no longer counts in any figure or report.',
      replace: 'The record no longer counts, and the record that you enter here counts instead.',
      restore: 'The record counts again.',
    },
    fields: {
      reason: 'Reason',
      startedOn: 'Started on',
      finishedOn: 'Finished on',
      score: 'Score in per cent',
      signedOn: 'Signed on',
      note: 'Note',
    },
    hints: {
      reason: 'It is shown with the record, for example to auditors.',
      score: 'Leave this empty if the course has no score.',
      note: 'For example where the signed paper is kept',
    },
    keep: 'Leave it as it is',
    gone: 'This record no longer exists, or was already corrected.',
    faults: {
      reason: 'Please enter a reason of at most 500 ordinary characters.',
      startedOn: 'Please enter the day of the start, the finish or both, in this order and not in the future.',
      finishedOn: 'Please enter the day of the start, the finish or both, in this order and not in the future.',
      score: 'Please enter a number from 0 to 100, together with the day of the finish.',
      signedOn: 'Please enter a day that is not in the future.',
      note: 'Please enter a note of ordinary characters.',
    },
    failed:
      'The record was not corrected. Please check what you entered; a version of the policy must have been published by that day.',
    notices: { corrected: 'The record was corrected.' },
  },
  de: {
    link: 'Einträge berichtigen',
    title: (name) => `Einträge von ${name}`,
    about:
      'Erklären Sie einen falschen Eintrag für ungültig, oder erfassen Sie an seiner Stelle den richtigen. Nichts geht verloren: Ungültige Einträge bleiben mit der Begründung sichtbar.',
    back: 'Zurück zur Person',
    head: ['Eintrag', 'Datum', 'Stand'],
    none: 'Zu dieser Person ist noch nichts erfasst.',
    kinds: {
      course_result: 'Kursergebnis',
      policy_signature: 'Unterschrift',
      simulation_event: 'Simulation',
      reported_message: 'Gemeldete Nachricht',
    },
    states: { counts: 'zählt', voided: 'ungültig' },
    actions: { void: 'Für ungültig erklären', replace: 'Berichtigen', restore: 'Wiederherstellen' },
    effects: {
      void: 'Der Eintrag zählt in keiner Kennzahl und keinem Bericht mehr.',
      replace: 'Der Eintrag zählt nicht mehr. An seiner Stelle zählt, was Sie hier eingeben.',
      restore: 'Der Eintrag zählt wieder.',
    },
    fields: {
      reason: 'Begründung',
      startedOn: 'Begonnen am',
      finishedOn: 'Abgeschlossen am',
      score: 'Ergebnis in Prozent',
      signedOn: 'Unterschrieben am',
      note: 'Bemerkung',
    },
    hints: {
      reason: 'Sie steht beim Eintrag, zum Beispiel für die Revision.',
      score: 'Bleibt leer, wenn der Kurs kein Ergebnis in Prozent hat.',
      note: 'Zum Beispiel, wo das unterschriebene Papier liegt',
    },
    keep: 'Alles lassen, wie es ist',
    gone: 'Diesen Eintrag gibt es nicht mehr, oder er wurde schon berichtigt.',
    faults: {
      reason: 'Bitte geben Sie eine Begründung mit höchstens 500 gewöhnlichen Zeichen ein.',
      startedOn:
        'Bitte geben Sie den Tag des Beginns, des Abschlusses oder beide ein, in dieser Reihenfolge und nicht in der Zukunft.',
      finishedOn:
        'Bitte geben Sie den Tag des Beginns, des Abschlusses oder beide ein, in dieser Reihenfolge und nicht in der Zukunft.',
      score: 'Bitte geben Sie eine Zahl von 0 bis 100 ein, zusammen mit dem Tag des Abschlusses.',
      signedOn: 'Bitte geben Sie einen Tag ein, der nicht in der Zukunft liegt.',
      note: 'Bitte geben Sie eine Bemerkung aus gewöhnlichen Zeichen ein.',
    },
    failed:
      'Der Eintrag wurde nicht berichtigt. Bitte prüfen Sie Ihre Eingaben; die Richtlinie muss bis zu diesem Tag veröffentlicht worden sein.',
    notices: { corrected: 'Der Eintrag wurde berichtigt.' },
  },
  fr: {
    link: 'Rectifier des enregistrements',
    title: (name) => `Enregistrements de ${name}`,
    about:
      'Annulez un enregistrement erroné, ou saisissez le bon à sa place. Rien ne se perd : les enregistrements annulés restent visibles avec leur motif.',
    back: 'Retour à la personne',
    head: ['Enregistrement', 'Date', 'État'],
    none: 'Rien n’est encore enregistré pour cette personne.',
    kinds: {
      course_result: 'Résultat de cours',
      policy_signature: 'Signature',
      simulation_event: 'Simulation',
      reported_message: 'Message signalé',
    },
    states: { counts: 'compte', voided: 'annulé' },
    actions: { void: 'Annuler', replace: 'Rectifier', restore: 'Rétablir' },
    effects: {
      void: 'L’enregistrement ne compte plus dans aucun chiffre ni aucun rapport.',
      replace: 'L’enregistrement ne compte plus ; celui que vous saisissez ici compte à sa place.',
      restore: 'L’enregistrement compte à nouveau.',
    },
    fields: {
      reason: 'Motif',
      startedOn: 'Commencé le',
      finishedOn: 'Terminé le',
      score: 'Score en pour cent',
      signedOn: 'Signé le',
      note: 'Remarque',
    },
    hints: {
      reason: 'Il est indiqué avec l’enregistrement, par exemple pour les auditeurs.',
      score: 'Laissez ce champ vide si le cours n’a pas de score.',
      note: 'Par exemple l’endroit où le papier signé est conservé',
    },
    keep: 'Ne rien changer',
    gone: 'Cet enregistrement n’existe plus, ou a déjà été rectifié.',
    faults: {
      reason: 'Veuillez saisir un motif de 500 caractères ordinaires au plus.',
      startedOn: 'Veuillez saisir le jour du début, de la fin ou les deux, dans cet ordre et pas dans le futur.',
      finishedOn: 'Veuillez saisir le jour du début, de la fin ou les deux, dans cet ordre et pas dans le futur.',
      score: 'Veuillez saisir un nombre de 0 à 100, avec le jour de la fin.',
      signedOn: 'Veuillez saisir un jour qui n’est pas dans le futur.',
      note: 'Veuillez saisir une remarque en caractères ordinaires.',
    },
    failed:
      'L’enregistrement n’a pas été rectifié. Veuillez vérifier votre saisie ; une version de la politique doit avoir été publiée avant ce jour.',
    notices: { corrected: 'L’enregistrement a été rectifié.' },
  },
};
