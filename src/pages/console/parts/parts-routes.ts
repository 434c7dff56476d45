import type { Router } from 'express';
import { redirectWithNotice } from '../../shared/parts/notice.ts';
import { getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';

/** Adds the page with each part of the console, for developers: `/console/parts`. */
export function addPartsPage(pages: Router): void {
  pages.get('/parts', async ({ query }, res) => {
    const { partsContent } = await import('./parts-page.ts');
    const { formToken, language } = getAdmin(res);
    sendConsolePage(res, { title: 'Parts', content: partsContent({ query, formToken, language }), width: 'wide' });
  });
  pages.post('/parts', (_req, res) => redirectWithNotice(res, '/console/parts', 'saved'));
}
