import type { Language } from '../../../contract/languages.ts';
import type { FaultMessages } from '../fault-messages.ts';

/** Texts of the pages about scheduled and running simulations. */
export interface SimulationsMessages {
  title: string;
  about: string;
  none: string;
  window: string;
  recipients: string;
  templates: string;
  more(count: number): string;
  senderDomain: string;
  scheduledBy: string;
  byKey(name: string): string;
  byCampaign(name: string): string;
  /** Text in place of a scheduler who is a deleted admin or was not recorded. */
  unknown: string;
  state: string;
  states: Record<'approval' | 'domain' | 'scheduled' | 'running', string>;
  approvedBy: string;
  nobody: string;
  approved: string;
  approve: string;
  approveNamed(name: string): string;
  cancel: string;
  cancelNamed(name: string): string;
  cancelTitle: string;
  cancelAbout(name: string): string;
  cancelButton: string;
  keep: string;
  /** Reasons why a decision was rejected. */
  faults: FaultMessages['codes'];
}

export const simulationsMessages: Record<Language, SimulationsMessages> = {
  en: {
    title: 'Simulations',
    about:
      'These simulated phishing messages are scheduled or being sent. A simulation that reaches more than 500 people needs the approval of two admins. Scheduling it in the console counts as approval.',
    none: 'No simulation is scheduled or running.',
    window: 'Sent',
    recipients: 'Recipients',
    templates: 'Templates',
    more: (count) => `and ${count} more`,
    senderDomain: 'Sent from the domain',
    scheduledBy: 'Scheduled by',
    byKey: (name) => `the API key “${name}”`,
    byCampaign: (name) => `the campaign “${name}”`,
    unknown: 'unknown',
    state: 'Status',
    states: {
      approval: 'waiting for approval',
      domain: 'waiting: the DNS record of the domain is missing',
      scheduled: 'scheduled',
      running: 'running',
    },
    approvedBy: 'Approved by',
    nobody: 'nobody',
    approved: 'You have approved this simulation. Another admin has to approve it, too.',
    approve: 'Approve',
    approveNamed: (name) => `Approve the simulation “${name}”`,
    cancel: 'Cancel',
    cancelNamed: (name) => `Cancel the simulation “${name}”`,
    cancelTitle: 'Cancel this simulation?',
    cancelAbout: (name) =>
      `No more messages of “${name}” will be sent. Messages that were already sent, and their results, are kept. This cannot be undone.`,
    cancelButton: 'Cancel simulation',
    keep: 'Keep simulation',
    faults: {
      admin_too_new:
        'You became an admin, were invited or got another e-mail address less than a day before this simulation was scheduled, or later. Another admin has to approve it.',
      admin_same_mailbox:
        'An admin with the same mailbox as yours has approved this simulation. Another admin has to approve it.',
      approval_not_needed: 'This simulation is no longer waiting for approval.',
      simulation_ended: 'This simulation has already ended.',
      simulations_off: 'The operator of the service has not switched simulations on.',
    },
  },
  de: {
    title: 'Simulationen',
    about:
      'Diese simulierten Phishing-Nachrichten sind geplant oder werden gerade versendet. Was mehr als 500 Personen erreicht, braucht die Zustimmung von zwei Administratoren. Wer eine Simulation in der Konsole eingeplant hat, hat ihr damit zugestimmt.',
    none: 'Keine Simulation ist geplant oder läuft.',
    window: 'Versand',
    recipients: 'Empfänger',
    templates: 'Vorlagen',
    more: (count) => `und ${count} weitere`,
    senderDomain: 'Domain des Absenders',
    scheduledBy: 'Eingeplant von',
    byKey: (name) => `API-Schlüssel „${name}“`,
    byCampaign: (name) => `Kampagne „${name}“`,
    unknown: 'unbekannt',
    state: 'Stand',
    states: {
      approval: 'wartet auf Zustimmung',
      domain: 'wartet: Der DNS-Eintrag der Domain fehlt',
      scheduled: 'geplant',
      running: 'läuft',
    },
    approvedBy: 'Zugestimmt haben',
    nobody: 'niemand',
    approved: 'Sie haben zugestimmt. Ein weiterer Administrator muss zustimmen.',
    approve: 'Zustimmen',
    approveNamed: (name) => `Der Simulation „${name}“ zustimmen`,
    cancel: 'Abbrechen',
    cancelNamed: (name) => `Die Simulation „${name}“ abbrechen`,
    cancelTitle: 'Diese Simulation abbrechen?',
    cancelAbout: (name) =>
      `Von „${name}“ wird nichts mehr versendet. Was versendet wurde, bleibt, und auch die Ergebnisse bleiben. Das lässt sich nicht rückgängig machen.`,
    cancelButton: 'Simulation abbrechen',
    keep: 'Nichts ändern',
    faults: {
      admin_too_new:
        'Sie sind erst Administrator geworden, eingeladen worden oder haben eine andere Adresse bekommen, als es bis zur Planung dieser Simulation weniger als ein Tag war oder sie schon geplant war. Ein anderer Administrator muss zustimmen.',
      admin_same_mailbox:
        'Ein Administrator mit demselben Postfach wie Sie hat dieser Simulation zugestimmt. Ein anderer Administrator muss zustimmen.',
      approval_not_needed: 'Diese Simulation wartet nicht mehr auf Zustimmung.',
      simulation_ended: 'Diese Simulation ist schon beendet.',
      simulations_off: 'Der Betreiber des Dienstes hat Simulationen nicht eingeschaltet.',
    },
  },
  fr: {
    title: 'Simulations',
    about:
      'Ces messages d’hameçonnage simulés sont prévus ou en cours d’envoi. Ce qui atteint plus de 500 personnes demande l’accord de deux administrateurs. Qui a programmé une simulation dans la console a donné son accord par là même.',
    none: 'Aucune simulation n’est prévue ni en cours.',
    window: 'Envoi',
    recipients: 'Destinataires',
    templates: 'Modèles',
    more: (count) => `et ${count} de plus`,
    senderDomain: 'Domaine de l’expéditeur',
    scheduledBy: 'Programmée par',
    byKey: (name) => `la clé d’API « ${name} »`,
    byCampaign: (name) => `la campagne « ${name} »`,
    unknown: 'inconnu',
    state: 'État',
    states: {
      approval: 'attend un accord',
      domain: 'attend : l’enregistrement DNS du domaine manque',
      scheduled: 'prévue',
      running: 'en cours',
    },
    approvedBy: 'Ont donné leur accord',
    nobody: 'personne',
    approved: 'Vous avez donné votre accord. Un autre administrateur doit donner le sien.',
    approve: 'Donner mon accord',
    approveNamed: (name) => `Donner mon accord à la simulation « ${name} »`,
    cancel: 'Annuler',
    cancelNamed: (name) => `Annuler la simulation « ${name} »`,
    cancelTitle: 'Annuler cette simulation ?',
    cancelAbout: (name) =>
      `Plus rien de « ${name} » ne sera envoyé. Ce qui a été envoyé reste, et les résultats aussi. Vous ne pourrez pas revenir en arrière.`,
    cancelButton: 'Annuler la simulation',
    keep: 'Ne rien changer',
    faults: {
      admin_too_new:
        'Vous êtes devenu administrateur, avez été invité ou avez changé d’adresse moins d’un jour avant la programmation de cette simulation, ou après. Un autre administrateur doit donner son accord.',
      admin_same_mailbox:
        'Un administrateur qui a la même boîte que vous a approuvé cette simulation. Un autre administrateur doit donner son accord.',
      approval_not_needed: 'Cette simulation n’attend plus d’accord.',
      simulation_ended: 'Cette simulation est déjà terminée.',
      simulations_off: 'L’exploitant du service n’a pas activé les simulations.',
    },
  },
};
