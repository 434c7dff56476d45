import type { Language } from '../../../contract/languages.ts';

type Named = (name: string) => string;

/** Texts of the history of a person. */
export interface TimelineMessages {
  kinds: Record<'training' | 'policy' | 'simulation' | 'message' | 'group', string>;
  aPolicy: string;
  aCourse: string;
  aGroup: string;
  courses: {
    enrolled: Named;
    started: Named;
    reminded: Named;
    finished: (name: string, score: number | null, grade: string | null) => string;
    grades: Record<'pass' | 'fail', string>;
  };
  policies: {
    asked: Named;
    reminded: Named;
    opened: Named;
    signed: (name: string, version: string | undefined) => string;
    signedVoided: (name: string, version: string | undefined) => string;
  };
  simulations: {
    milestones: Record<'sent' | 'opened' | 'visited' | 'compromised' | 'reported', string>;
    verdicts: Record<'human' | 'automated' | 'unsure', string>;
    interaction: (name: string, what: string, verdict: string | undefined) => string;
  };
  mails: {
    kinds: Record<
      | ('course_enrollment' | 'course_reminder' | 'policy_request' | 'policy_reminder' | 'assignments_due' | 'sign_in')
      | ('policy_receipt' | 'signature_voided' | 'simulation' | 'learner_address_changed'),
      string
    >;
    states: Record<'queued' | 'sent' | 'failed' | 'cancelled', string>;
  };
  memberships: { joined: Named; left: Named };
}

const version = (name: string, number: string | undefined) => (number === undefined ? name : `${name} ${number}`);

export const timelineMessages: Record<Language, TimelineMessages> = {
  en: {
    kinds: { training: 'Training', policy: 'Policy', simulation: 'Simulation', message: 'E-mail', group: 'Group' },
    aPolicy: 'a policy',
    aCourse: 'a course',
    aGroup: 'a deleted group',
    courses: {
      enrolled: (name) => `Enrolled in ${name}`,
      started: (name) => `Started ${name}`,
      reminded: (name) => `Reminded of ${name}`,
      finished: (name, score, grade) =>
        `Finished ${name}${score === null ? '' : ` with ${score}%`}${grade === null ? '' : ` (${grade})`}`,
      grades: { pass: 'passed', fail: 'not passed' },
    },
    policies: {
      asked: (name) => `Asked to sign ${name}`,
      reminded: (name) => `Reminded of ${name}`,
      opened: (name) => `Opened ${name}`,
      signed: (name, number) => `Signed ${version(name, number)}`,
      signedVoided: (name, number) => `Signed ${version(name, number)} (voided)`,
    },
    simulations: {
      milestones: {
        sent: 'message sent',
        opened: 'message opened',
        visited: 'link followed',
        compromised: 'data entered',
        reported: 'message reported',
      },
      verdicts: { human: 'by a person', automated: 'by a machine, does not count', unsure: 'unclear who' },
      interaction: (name, what, verdict) => `${name}: ${what}${verdict === undefined ? '' : ` (${verdict})`}`,
    },
    mails: {
      kinds: {
        course_enrollment: 'Invitation to a course',
        course_reminder: 'Reminder of a course',
        policy_request: 'Request to sign a policy',
        policy_reminder: 'Reminder of a policy',
        assignments_due: 'Reminder of assignments',
        sign_in: 'Sign-in link',
        policy_receipt: 'Receipt for a signature',
        signature_voided: 'Notice of a voided signature',
        simulation: 'Message of a phishing simulation',
        learner_address_changed: 'Notice of a changed address',
      },
      states: { queued: 'waiting', sent: 'sent', failed: 'not delivered', cancelled: 'no longer needed' },
    },
    memberships: { joined: (name) => `Joined ${name}`, left: (name) => `Left ${name}` },
  },
  de: {
    kinds: { training: 'Schulung', policy: 'Richtlinie', simulation: 'Simulation', message: 'E-Mail', group: 'Gruppe' },
    aPolicy: 'eine Richtlinie',
    aCourse: 'ein Kurs',
    aGroup: 'eine gelöschte Gruppe',
    courses: {
      enrolled: (name) => `Eingeschrieben: ${name}`,
      started: (name) => `Begonnen: ${name}`,
      reminded: (name) => `Erinnert: ${name}`,
      finished: (name, score, grade) =>
        `Abgeschlossen: ${name}${score === null ? '' : ` mit ${score} %`}${grade === null ? '' : ` (${grade})`}`,
      grades: { pass: 'bestanden', fail: 'nicht bestanden' },
    },
    policies: {
      asked: (name) => `Um Unterschrift gebeten: ${name}`,
      reminded: (name) => `Erinnert: ${name}`,
      opened: (name) => `Geöffnet: ${name}`,
      signed: (name, number) => `Unterschrieben: ${version(name, number)}`,
      signedVoided: (name, number) => `Unterschrieben: ${version(name, number)} (für ungültig erklärt)`,
    },
    simulations: {
      milestones: {
        sent: 'Nachricht gesendet',
        opened: 'Nachricht geöffnet',
        visited: 'Link aufgerufen',
        compromised: 'Daten eingegeben',
        reported: 'Nachricht gemeldet',
      },
      verdicts: {
        human: 'von einem Menschen',
        automated: 'von einer Maschine, zählt nicht',
        unsure: 'unklar, von wem',
      },
      interaction: (name, what, verdict) => `${name}: ${what}${verdict === undefined ? '' : ` (${verdict})`}`,
    },
    mails: {
      kinds: {
        course_enrollment: 'Einladung zu einem Kurs',
        course_reminder: 'Erinnerung an einen Kurs',
        policy_request: 'Bitte um eine Unterschrift',
        policy_reminder: 'Erinnerung an eine Richtlinie',
        assignments_due: 'Erinnerung an Aufgaben',
        sign_in: 'Link zur Anmeldung',
        policy_receipt: 'Bestätigung einer Unterschrift',
        signature_voided: 'Hinweis auf eine ungültige Unterschrift',
        simulation: 'Nachricht einer Phishing-Simulation',
        learner_address_changed: 'Hinweis auf eine geänderte Adresse',
      },
      states: { queued: 'wartet', sent: 'gesendet', failed: 'nicht zugestellt', cancelled: 'nicht mehr nötig' },
    },
    memberships: { joined: (name) => `Mitglied geworden: ${name}`, left: (name) => `Ausgetreten: ${name}` },
  },
  fr: {
    kinds: {
      training: 'Formation',
      policy: 'Politique',
      simulation: 'Simulation',
      message: 'E-mail',
      group: 'Groupe',
    },
    aPolicy: 'une politique',
    aCourse: 'un cours',
    aGroup: 'un groupe supprimé',
    courses: {
      enrolled: (name) => `Inscription : ${name}`,
      started: (name) => `Début : ${name}`,
      reminded: (name) => `Rappel : ${name}`,
      finished: (name, score, grade) =>
        `Fin : ${name}${score === null ? '' : `, score ${score} %`}${grade === null ? '' : ` (${grade})`}`,
      grades: { pass: 'réussi', fail: 'échoué' },
    },
    policies: {
      asked: (name) => `Signature demandée : ${name}`,
      reminded: (name) => `Rappel : ${name}`,
      opened: (name) => `Ouverture : ${name}`,
      signed: (name, number) => `Signature : ${version(name, number)}`,
      signedVoided: (name, number) => `Signature : ${version(name, number)} (annulée)`,
    },
    simulations: {
      milestones: {
        sent: 'message envoyé',
        opened: 'message ouvert',
        visited: 'lien suivi',
        compromised: 'données saisies',
        reported: 'message signalé',
      },
      verdicts: {
        human: 'par une personne',
        automated: 'par une machine, non pris en compte',
        unsure: 'auteur incertain',
      },
      interaction: (name, what, verdict) => `${name} : ${what}${verdict === undefined ? '' : ` (${verdict})`}`,
    },
    mails: {
      kinds: {
        course_enrollment: 'Invitation à un cours',
        course_reminder: 'Rappel d’un cours',
        policy_request: 'Demande de signature',
        policy_reminder: 'Rappel d’une politique',
        assignments_due: 'Rappel de tâches',
        sign_in: 'Lien de connexion',
        policy_receipt: 'Confirmation d’une signature',
        signature_voided: 'Avis d’annulation d’une signature',
        simulation: 'Message d’une simulation d’hameçonnage',
        learner_address_changed: 'Avis de changement d’adresse',
      },
      states: { queued: 'en attente', sent: 'envoyé', failed: 'non distribué', cancelled: 'devenu inutile' },
    },
    memberships: { joined: (name) => `Entrée dans ${name}`, left: (name) => `Sortie de ${name}` },
  },
};
