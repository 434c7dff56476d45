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
      facts.courses.length === 1
        ? `Nouvelle formation pour vous : « ${facts.courses[0]} »`
        : `Nouvelle formation pour vous : ${facts.courses.length} cours`,
    greeting: `Bonjour ${facts.name},`,
    paragraphs: [
      facts.courses.length === 1
        ? `${facts.company} vous a inscrit(e) à ce cours de sensibilisation à la sécurité :`
        : `${facts.company} vous a inscrit(e) à ces cours de sensibilisation à la sécurité :`,
    ],
    ...training(facts),
  }),
  courseReminder: (facts) => ({
    subject:
      facts.courses.length === 1
        ? `Rappel : veuillez terminer « ${facts.courses[0]} »`
        : `Rappel : veuillez terminer ${facts.courses.length} cours`,
    greeting: `Bonjour ${facts.name},`,
    paragraphs: [
      facts.courses.length === 1
        ? 'Voici le rappel d’un cours de sensibilisation à la sécurité que vous n’avez pas encore terminé :'
        : 'Voici le rappel des cours de sensibilisation à la sécurité que vous n’avez pas encore terminés :',
    ],
    ...training(facts),
  }),
};

function training({ company, contact, courses, trainingUrl }: TrainingFacts) {
  return {
    items: courses,
    afterItems: trainingUrl ? [] : ['Votre administration vous indiquera où trouver votre formation.'],
    ...(trainingUrl && { action: { label: 'Accéder à ma formation', url: trainingUrl } }),
    footer: `Vous recevez ce message car ${company} vous a inscrit(e) à son programme de sensibilisation à la sécurité. Des questions ? Écrivez à ${contact}.`,
  };
}
