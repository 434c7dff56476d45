import type { RequestHandler } from 'express';
import { html } from '../../web/html.ts';
import { sendLearnPage } from './learn-page.ts';
import { learnWords } from './learn-words.ts';
import { learnerOf } from './learner.ts';

export const sendMyTraining: RequestHandler = (_req, res) => {
  const { learner, language } = learnerOf(res);
  sendLearnPage(res, { title: learnWords[language].myTraining, content: html`<p>${learner.firstName}</p>` });
};
