import type { TrainingFacts, Wording } from './wording.ts';

const date = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

export const fr: Wording = {
  adminInvite: ({ name, company, contact, setupUrl, expiresAt }) => ({
    subject: `Votre invitation à administrer la sensibilisation à la sécurité chez ${company}`,
    greeting: `Bonjour ${name},`,
    paragraphs: [
      `Vous êtes invité(e) à administrer le programme de sensibilisation à la sécurité chez ${company}.`,
      `Veuillez confirmer votre nom pour terminer la configuration. Le lien fonctionne une seule fois, jusqu’au ${date.format(expiresAt)} (UTC).`,
    ],
    items: [],
    action: { label: 'Terminer la configuration', url: setupUrl },
    footer: `Vous recevez ce message car un membre de l’administration chez ${company} vous a invité(e). Si vous ne vous y attendiez pas, ignorez-le ou écrivez à ${contact}.`,
  }),
  courseEnrollment: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Nouvelle formation pour vous : « ${facts.subjects[0]} »`
        : `Nouvelle formation pour vous : ${facts.subjects.length} cours`,
    greeting: `Bonjour ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? `${facts.company} vous a inscrit(e) à ce cours de sensibilisation à la sécurité :`
        : `${facts.company} vous a inscrit(e) à ces cours de sensibilisation à la sécurité :`,
    ],
    ...training(facts, 'Accéder à ma formation'),
  }),
  courseReminder: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Rappel : veuillez terminer « ${facts.subjects[0]} »`
        : `Rappel : veuillez terminer ${facts.subjects.length} cours`,
    greeting: `Bonjour ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? 'Voici le rappel d’un cours de sensibilisation à la sécurité que vous n’avez pas encore terminé :'
        : 'Voici le rappel des cours de sensibilisation à la sécurité que vous n’avez pas encore terminés :',
    ],
    ...training(facts, 'Accéder à ma formation'),
  }),
  policyRequest: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Veuillez lire et signer « ${facts.subjects[0]} »`
        : `Veuillez lire et signer ${facts.subjects.length} politiques`,
    greeting: `Bonjour ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? `${facts.company} vous demande de lire et de signer cette politique :`
        : `${facts.company} vous demande de lire et de signer ces politiques :`,
    ],
    ...training(facts, 'Lire et signer'),
  }),
  policyReminder: (facts) => ({
    subject:
      facts.subjects.length === 1
        ? `Rappel : veuillez signer « ${facts.subjects[0]} »`
        : `Rappel : veuillez signer ${facts.subjects.length} politiques`,
    greeting: `Bonjour ${facts.name},`,
    paragraphs: [
      facts.subjects.length === 1
        ? 'Voici le rappel d’une politique que vous n’avez pas encore signée :'
        : 'Voici le rappel des politiques que vous n’avez pas encore signées :',
    ],
    ...training(facts, 'Lire et signer'),
  }),
};

function training({ company, contact, subjects, trainingUrl }: TrainingFacts, label: string) {
  return {
    items: subjects,
    afterItems: trainingUrl ? [] : ['Votre administration vous indiquera où trouver cela.'],
    ...(trainingUrl && { action: { label, url: trainingUrl } }),
    footer: `Vous recevez ce message car ${company} vous a inscrit(e) à son programme de sensibilisation à la sécurité. Des questions ? Écrivez à ${contact}.`,
  };
}
