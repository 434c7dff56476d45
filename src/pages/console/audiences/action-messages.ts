import type { Language } from '../../../contract/languages.ts';

/** Actions on the people of a policy or course. */
export type PeopleAction = 'assign' | 'remind' | 'withdraw';
export type ItemKind = 'policy' | 'course';

export interface ActionMessages {
  title(name: string): string;
  /** The outcomes for the people whom a preview counts. */
  affected(count: number, formatted: string): string;
  button: string;
  done(count: number): string;
}

export const actionMessages: Record<Language, Record<ItemKind, Record<PeopleAction, ActionMessages>>> = {
  en: {
    policy: {
      assign: {
        title: (name) => `Assign “${name}”`,
        affected: (count, n) =>
          count === 1
            ? 'One person will be asked to read and sign the policy, and gets an e-mail.'
            : `${n} people will be asked to read and sign the policy, and get an e-mail.`,
        button: 'Assign the policy',
        done: (count) =>
          count === 1
            ? 'The policy has been assigned to one more person.'
            : `The policy has been assigned to ${count} more people.`,
      },
      remind: {
        title: (name) => `Remind people of “${name}”`,
        affected: (count, n) => (count === 1 ? 'One person will get a reminder.' : `${n} people will get a reminder.`),
        button: 'Send the reminders',
        done: (count) => (count === 1 ? 'One person has been reminded.' : `${count} people have been reminded.`),
      },
      withdraw: {
        title: (name) => `Withdraw “${name}”`,
        affected: (count, n) =>
          count === 1
            ? 'One person will no longer be asked to sign. Signatures are kept.'
            : `${n} people will no longer be asked to sign. Signatures are kept.`,
        button: 'Withdraw the policy',
        done: (count) =>
          count === 1
            ? 'The policy has been withdrawn from one person.'
            : `The policy has been withdrawn from ${count} people.`,
      },
    },
    course: {
      assign: {
        title: (name) => `Enrol people in “${name}”`,
        affected: (count, n) =>
          count === 1
            ? 'One person will be enrolled and gets an e-mail. A person who has finished the course begins it again.'
            : `${n} people will be enrolled and get an e-mail. Those who have finished the course begin it again.`,
        button: 'Enrol',
        done: (count) => (count === 1 ? 'One person has been enrolled.' : `${count} people have been enrolled.`),
      },
      remind: {
        title: (name) => `Remind people of “${name}”`,
        affected: (count, n) => (count === 1 ? 'One person will get a reminder.' : `${n} people will get a reminder.`),
        button: 'Send the reminders',
        done: (count) => (count === 1 ? 'One person has been reminded.' : `${count} people have been reminded.`),
      },
      withdraw: {
        title: (name) => `Unenrol people from “${name}”`,
        affected: (count, n) =>
          count === 1
            ? 'One open enrolment will be removed with its progress. Finished results are kept.'
            : `${n} open enrolments will be removed with their progress. Finished results are kept.`,
        button: 'Unenrol',
        done: (count) => (count === 1 ? 'One person has been unenrolled.' : `${count} people have been unenrolled.`),
      },
    },
  },
  de: {
    policy: {
      assign: {
        title: (name) => `„${name}“ zuweisen`,
        affected: (count, n) =>
          count === 1
            ? 'Eine Person wird gebeten, die Richtlinie zu lesen und zu unterschreiben, und erhält eine E-Mail.'
            : `${n} Personen werden gebeten, die Richtlinie zu lesen und zu unterschreiben, und erhalten eine E-Mail.`,
        button: 'Richtlinie zuweisen',
        done: (count) =>
          count === 1
            ? 'Die Richtlinie ist einer weiteren Person zugewiesen.'
            : `Die Richtlinie ist ${count} weiteren Personen zugewiesen.`,
      },
      remind: {
        title: (name) => `An „${name}“ erinnern`,
        affected: (count, n) =>
          count === 1 ? 'Eine Person erhält eine Erinnerung.' : `${n} Personen erhalten eine Erinnerung.`,
        button: 'Erinnerungen senden',
        done: (count) => (count === 1 ? 'Eine Person wird erinnert.' : `${count} Personen werden erinnert.`),
      },
      withdraw: {
        title: (name) => `„${name}“ zurückziehen`,
        affected: (count, n) =>
          count === 1
            ? 'Eine Person muss nicht mehr unterschreiben. Unterschriften bleiben erhalten.'
            : `${n} Personen müssen nicht mehr unterschreiben. Unterschriften bleiben erhalten.`,
        button: 'Richtlinie zurückziehen',
        done: (count) =>
          count === 1
            ? 'Die Richtlinie ist für eine Person zurückgezogen.'
            : `Die Richtlinie ist für ${count} Personen zurückgezogen.`,
      },
    },
    course: {
      assign: {
        title: (name) => `In „${name}“ einschreiben`,
        affected: (count, n) =>
          count === 1
            ? 'Eine Person wird eingeschrieben und erhält eine E-Mail. Wer den Kurs abgeschlossen hat, beginnt ihn von vorn.'
            : `${n} Personen werden eingeschrieben und erhalten eine E-Mail. Wer den Kurs abgeschlossen hat, beginnt ihn von vorn.`,
        button: 'Einschreiben',
        done: (count) => (count === 1 ? 'Eine Person ist eingeschrieben.' : `${count} Personen sind eingeschrieben.`),
      },
      remind: {
        title: (name) => `An „${name}“ erinnern`,
        affected: (count, n) =>
          count === 1 ? 'Eine Person erhält eine Erinnerung.' : `${n} Personen erhalten eine Erinnerung.`,
        button: 'Erinnerungen senden',
        done: (count) => (count === 1 ? 'Eine Person wird erinnert.' : `${count} Personen werden erinnert.`),
      },
      withdraw: {
        title: (name) => `Aus „${name}“ austragen`,
        affected: (count, n) =>
          count === 1
            ? 'Eine offene Einschreibung wird mit ihrem Fortschritt entfernt. Abgeschlossene Ergebnisse bleiben.'
            : `${n} offene Einschreibungen werden mit ihrem Fortschritt entfernt. Abgeschlossene Ergebnisse bleiben.`,
        button: 'Austragen',
        done: (count) => (count === 1 ? 'Eine Person ist ausgetragen.' : `${count} Personen sind ausgetragen.`),
      },
    },
  },
  fr: {
    policy: {
      assign: {
        title: (name) => `Attribuer « ${name} »`,
        affected: (count, n) =>
          count === 1
            ? 'Une personne sera invitée par e-mail à lire et à signer la politique.'
            : `${n} personnes seront invitées par e-mail à lire et à signer la politique.`,
        button: 'Attribuer la politique',
        done: (count) =>
          count === 1
            ? 'La politique est attribuée à une personne de plus.'
            : `La politique est attribuée à ${count} personnes de plus.`,
      },
      remind: {
        title: (name) => `Relancer pour « ${name} »`,
        affected: (count, n) =>
          count === 1 ? 'Une personne recevra un rappel.' : `${n} personnes recevront un rappel.`,
        button: 'Envoyer les rappels',
        done: (count) => (count === 1 ? 'Une personne est relancée.' : `${count} personnes sont relancées.`),
      },
      withdraw: {
        title: (name) => `Retirer « ${name} »`,
        affected: (count, n) =>
          count === 1
            ? 'Une personne n’aura plus à signer. Les signatures sont conservées.'
            : `${n} personnes n’auront plus à signer. Les signatures sont conservées.`,
        button: 'Retirer la politique',
        done: (count) =>
          count === 1 ? 'La politique est retirée à une personne.' : `La politique est retirée à ${count} personnes.`,
      },
    },
    course: {
      assign: {
        title: (name) => `Inscrire à « ${name} »`,
        affected: (count, n) =>
          count === 1
            ? 'Une personne sera inscrite et recevra un e-mail. Si elle a terminé le cours, elle le recommence.'
            : `${n} personnes seront inscrites et recevront un e-mail. Celles qui ont terminé le cours le recommencent.`,
        button: 'Inscrire',
        done: (count) => (count === 1 ? 'Une personne est inscrite.' : `${count} personnes sont inscrites.`),
      },
      remind: {
        title: (name) => `Relancer pour « ${name} »`,
        affected: (count, n) =>
          count === 1 ? 'Une personne recevra un rappel.' : `${n} personnes recevront un rappel.`,
        button: 'Envoyer les rappels',
        done: (count) => (count === 1 ? 'Une personne est relancée.' : `${count} personnes sont relancées.`),
      },
      withdraw: {
        title: (name) => `Désinscrire de « ${name} »`,
        affected: (count, n) =>
          count === 1
            ? 'Une inscription en cours sera supprimée avec sa progression. Les résultats terminés sont conservés.'
            : `${n} inscriptions en cours seront supprimées avec leur progression. Les résultats terminés sont conservés.`,
        button: 'Désinscrire',
        done: (count) => (count === 1 ? 'Une personne est désinscrite.' : `${count} personnes sont désinscrites.`),
      },
    },
  },
};
